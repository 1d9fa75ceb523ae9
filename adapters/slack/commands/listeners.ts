/** Bolt's listeners: what Slack wants answered at once. Modals are opened, filled and checked here; their answers go to the inbox. */
import { App, type Receiver } from "@slack/bolt";
import type { Directory } from "../../../src/core/commands/types.ts";
import { checkValues } from "../../../src/core/forms/check.ts";
import type { Inbound, Person } from "../../../src/core/inbound.ts";
import { reasonOf } from "../../../src/errors.ts";
import { isDirect, keyOf, placeOf, type Identity } from "../inbound/address.ts";
import type { Intake } from "../inbound/intake.ts";
import { readSlash, type Chosen } from "../inbound/interactions.ts";
import { formButton, readActionValue } from "../outbound/actions.ts";
import type { SlackWeb } from "../outbound/web.ts";
import { objectIn, objectsIn, textIn, type Payload } from "../payload.ts";
import { silentLogger } from "../silent-logger.ts";
import { askAboutCallback, askAnywhereCallback, menuCallback } from "./callbacks.ts";
import { formCallback, formGone, formIdOf, formModal, formValues } from "./form-modal.ts";
import { homeView, suggestedPrompts } from "./home.ts";
import { commandModal, inputAction, modalCallback, placeBlock, selectOption, type ModalOrigin } from "./modals.ts";
import { originOf, submittedFiles, submittedValues } from "./submissions.ts";

export interface ListenerOptions {
  readonly receiver: Receiver;
  readonly token: string;
  readonly self: Identity;
  readonly web: SlackWeb;
  readonly directory: Directory;
  readonly intake: Intake;
  /** The turn of a slash command. */
  readonly slash: (body: Payload) => Inbound;
  /** What was chosen in the menu of a message, of the command table; undefined for another shortcut. */
  readonly chosen: (body: Payload) => Chosen | undefined;
  readonly now: () => number;
  readonly log: { warn(fields: object, text: string): void };
}

/** A modal must be there within Slack's 3 s. */
const openMs = 2_500;

export function listen(options: ListenerOptions): void {
  const { receiver, token, self, web, directory, intake, slash, chosen, now, log } = options;
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
      await web.callWithin(openMs, "views.open", { trigger_id: trigger, view });
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
    const { name } = readSlash(body.text, commands);
    const { channel_id: channel, trigger_id: trigger } = body;
    if (commands.find((one) => one.name === name)?.opensForm !== true) {
      await ack();
      return open(trigger, askFor(name, { channel, thread: null }));
    }
    const person = { id: body.user_id, name: body.user_name };
    const direct = isDirect(channel) ? { direct: true } : {};
    const form = await directory.formOf(name, { place: placeOf(self.team, channel, null), person, ...direct });
    // Why there is none is the command's to say.
    if (form === undefined) await intake.store(slash(body as unknown as Payload));
    await ack();
    if (form !== undefined) await open(trigger, formModal(form));
  });

  app.action(new RegExp(`^${formButton}`), async ({ body, ack }) => {
    await ack();
    const payload = body as unknown as Payload;
    const [pressed = {}] = objectsIn(payload, "actions");
    const id = readActionValue(textIn(pressed, "value"))?.turn ?? "";
    const form = await directory.form(id, personOf(payload));
    await open(textIn(payload, "trigger_id"), form === undefined ? formGone : formModal(form));
  });

  app.view(formCallback, async ({ body, ack }) => {
    const payload = body as unknown as Payload;
    const view = objectIn(payload, "view");
    const person = personOf(payload);
    const form = await directory.form(formIdOf(view), person);
    if (form === undefined) return ack({ response_action: "update", view: formGone as never });
    const values = formValues(form, view);
    const { problems } = checkValues(form.fields, values);
    if (Object.keys(problems).length > 0) return ack({ response_action: "errors", errors: { ...problems } });
    const { id, place, direct } = form;
    const key = keyOf(self.team, place.channel, textIn(view, "id"), "submission");
    const about = direct === true ? { direct: true } : {};
    await intake.store({ kind: "submission", key, place, author: person, at: now(), form: id, values, ...about });
    await ack();
  });

  const personOf = (payload: Payload): Person => {
    const user = objectIn(payload, "user");
    return { id: textIn(user, "id"), name: textIn(user, "name") || textIn(user, "id") };
  };

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

  for (const { name, menu } of commands) {
    if (menu?.opensForm !== true) continue;
    app.shortcut(menuCallback(name), async ({ body, ack }) => {
      const picked = chosen(body as unknown as Payload);
      if (picked === undefined) return ack();
      const { place, author: person, files, direct } = picked.command;
      const asked = { place, person, files, ...(direct === true ? { direct } : {}) };
      const form = picked.opensForm ? await directory.formOf(name, asked) : undefined;
      // Why there is none is the command's to say.
      if (form === undefined) await intake.store(picked.command);
      await ack();
      if (form !== undefined) await open(body.trigger_id, formModal(form));
    });
  }

  app.options(inputAction, async ({ body, ack }) => {
    const payload = body as unknown as Payload;
    const block = textIn(payload, "block_id");
    const view = objectIn(payload, "view");
    const person = personOf(payload);
    const form = formIdOf(view) === "" ? undefined : await directory.form(formIdOf(view), person);
    const command = commands.find((one) => one.name === originOf(view)?.command);
    const source = [...(form?.fields ?? []), ...(command?.options ?? [])].find((one) => one.name === block)?.source;
    const place = form?.place ?? placeOf(self.team, originOf(view)?.channel ?? "", null);
    const found = source === undefined ? [] : await directory.suggest(source, textIn(payload, "value"), place, person);
    await ack({ options: found.map(selectOption).filter((one) => one !== null) as never });
  });

  const command = (
    view: Payload,
    author: Person,
    origin: ModalOrigin,
    name: string,
    given: Readonly<Record<string, string>>,
  ): Inbound => ({
    kind: "command",
    key: keyOf(self.team, origin.channel, textIn(view, "id"), name),
    place: placeOf(self.team, origin.channel, origin.thread),
    author,
    at: now(),
    name,
    options: given,
    text: "",
    files: submittedFiles(view),
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
    await intake.store(command(view, personOf(payload), { ...origin, channel }, origin.command, given));
    await ack();
  });

  app.event("app_home_opened", async ({ event }) => {
    if (event.tab === "home")
      await web.callWithin(openMs, "views.publish", { user_id: event.user, view: homeView(commands, self.user) });
    else
      await web.callWithin(openMs, "assistant.threads.setSuggestedPrompts", {
        channel_id: event.channel,
        prompts: suggestedPrompts,
      });
  });
}
