/** Bolt's listeners: what Slack wants answered at once. Modals are opened, filled and checked here; their answers go to the inbox. */
import { App, type Receiver } from "@slack/bolt";
import type { Directory } from "../../../src/core/commands/types.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import type { Settings } from "../../../src/core/settings.ts";
import type { Place } from "../../../src/core/place.ts";
import { reasonOf } from "../../../src/errors.ts";
import { isDirect, keyOf, placeOf, type Identity } from "../inbound/address.ts";
import type { Intake } from "../inbound/intake.ts";
import { readSlash } from "../inbound/interactions.ts";
import type { SlackWeb } from "../outbound/web.ts";
import { objectIn, textIn, type Payload } from "../payload.ts";
import { silentLogger } from "../silent-logger.ts";
import { askAboutCallback, askAnywhereCallback } from "./callbacks.ts";
import { homeView, suggestedPrompts } from "./home.ts";
import {
  changedSettings,
  commandModal,
  inputAction,
  modalCallback,
  placeBlock,
  selectOption,
  settingsCallback,
  settingsModal,
  type ModalOrigin,
} from "./modals.ts";
import { originOf, submittedValues } from "./submissions.ts";

export interface ListenerOptions {
  readonly receiver: Receiver;
  readonly token: string;
  readonly self: Identity;
  readonly web: SlackWeb;
  readonly directory: Directory;
  readonly intake: Intake;
  readonly settings: (place: Place) => Promise<Settings>;
  readonly now: () => number;
  readonly log: { warn(fields: object, text: string): void };
}

/** A modal must be there within Slack's 3 s. */
const openMs = 2_500;

export function listen(options: ListenerOptions): void {
  const { receiver, token, self, web, directory, intake, settings, now, log } = options;
  const { commands } = directory;
  const app = new App({
    receiver,
    authorize: () => Promise.resolve({ botToken: token, botId: self.bot, botUserId: self.user, teamId: self.team }),
    logger: silentLogger,
    ignoreSelf: false,
    convoStore: false,
  });
  // Thrown on, so that what could not be done is not acknowledged.
  app.error((thrown) => Promise.reject(thrown));

  const open = async (trigger: string, view: object): Promise<void> => {
    try {
      await web.call("views.open", { trigger_id: trigger, view }, AbortSignal.timeout(openMs));
    } catch (thrown) {
      // The person's gesture is too old for a modal; they will make it again.
      log.warn({ reason: reasonOf(thrown) }, "a modal could not be opened");
    }
  };
  const askFor = (name: string, origin: Omit<ModalOrigin, "command">): object => {
    const command = commands.find((one) => one.name === name);
    if (command === undefined) throw new Error(`there is no command ${name}`);
    return commandModal(command, { ...origin, command: name });
  };

  app.command("/parley", async ({ body, ack }) => {
    await ack();
    const { name } = readSlash(body.text, commands);
    const channel = body.channel_id;
    if (name !== "settings") return open(body.trigger_id, askFor(name, { channel, thread: null }));
    const origin = { channel, thread: null, command: "settings" };
    return open(body.trigger_id, settingsModal(commands, await settings(placeOf(self.team, channel, null)), origin));
  });

  app.shortcut(askAnywhereCallback, async ({ body, ack }) => {
    await ack();
    await open(body.trigger_id, askFor("ask", { channel: "", thread: null }));
  });

  app.shortcut(askAboutCallback, async ({ body, ack }) => {
    await ack();
    const payload = body as unknown as Payload;
    const channel = textIn(objectIn(payload, "channel"), "id");
    const thread = textIn(objectIn(payload, "message"), "thread_ts") || textIn(payload, "message_ts");
    await open(body.trigger_id, askFor("ask", { channel, thread, joins: true }));
  });

  app.options(inputAction, async ({ body, ack }) => {
    const payload = body as unknown as Payload;
    const block = textIn(payload, "block_id");
    // In the settings each block is named by its command, elsewhere by the command's option.
    const inSettings = textIn(objectIn(payload, "view"), "callback_id") === settingsCallback;
    const command = commands.find((one) => one.name === (inSettings ? block : originOf(objectIn(payload, "view"))?.command));
    const source = command?.options.find((one) => inSettings || one.name === block)?.source;
    const user = textIn(objectIn(payload, "user"), "id");
    const channel = originOf(objectIn(payload, "view"))?.channel ?? "";
    const found =
      source === undefined
        ? []
        : await directory.suggest(source, textIn(payload, "value"), placeOf(self.team, channel, null), { id: user, name: user });
    await ack({ options: found.map(selectOption).filter((one) => one !== null) as never });
  });

  const command = (
    view: Payload,
    user: Payload,
    origin: ModalOrigin,
    name: string,
    given: Readonly<Record<string, string>>,
  ): Inbound => ({
    kind: "command",
    key: keyOf(self.team, origin.channel, textIn(view, "id"), name),
    place: placeOf(self.team, origin.channel, origin.thread),
    author: { id: textIn(user, "id"), name: textIn(user, "name") || textIn(user, "id") },
    at: now(),
    name,
    options: given,
    text: "",
    files: [],
    ...(origin.joins === undefined ? {} : { joins: origin.joins }),
    ...(isDirect(origin.channel) ? { direct: true } : {}),
  });

  app.view(modalCallback, async ({ body, ack }) => {
    const payload = body as unknown as Payload;
    const view = objectIn(payload, "view");
    const origin = originOf(view);
    if (origin === undefined) return ack();
    const { [placeBlock]: chosen, ...values } = submittedValues(view);
    const channel = origin.channel || (chosen ?? "");
    const missing = commands
      .find(({ name }) => name === origin.command)
      ?.options.filter(({ name, required }) => required && (values[name] ?? "").trim() === "")
      .map(({ name }) => [name, "Please fill this in."]);
    if (channel === "") return ack({ response_action: "errors", errors: { [placeBlock]: "Please choose a channel." } });
    if (missing !== undefined && missing.length > 0)
      return ack({ response_action: "errors", errors: Object.fromEntries(missing) as Record<string, string> });
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    await intake.store(command(view, objectIn(payload, "user"), { ...origin, channel }, origin.command, given));
    await ack();
  });

  app.view(settingsCallback, async ({ body, ack }) => {
    const payload = body as unknown as Payload;
    const view = objectIn(payload, "view");
    const origin = originOf(view);
    if (origin === undefined) return ack();
    const before = await settings(placeOf(self.team, origin.channel, origin.thread));
    for (const { id, command: name, options: given } of changedSettings(commands, submittedValues(view), before))
      await intake.store({
        ...command(view, objectIn(payload, "user"), origin, name, given),
        key: keyOf(self.team, origin.channel, textIn(view, "id"), id),
      });
    await ack();
  });

  app.event("app_home_opened", async ({ event }) => {
    const signal = AbortSignal.timeout(openMs);
    if (event.tab === "home")
      await web.call("views.publish", { user_id: event.user, view: homeView(commands, self.user) }, signal);
    else
      await web.call("assistant.threads.setSuggestedPrompts", { channel_id: event.channel, prompts: suggestedPrompts }, signal);
  });
}
