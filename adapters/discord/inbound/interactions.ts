/** Commands, menus, buttons, forms and suggestions: in the inbox first, then acknowledged, within the three seconds that Discord waits. */
import type { Clock } from "../../../src/clock.ts";
import { takenFiles, type CommandInfo, type Directory, type MessageMenu } from "../../../src/core/commands/types.ts";
import type { Form } from "../../../src/core/forms.ts";
import type { Inbound, InboundMessage, InboundSubmission, Inbox, Run } from "../../../src/core/inbound.ts";
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { placeKey } from "../../../src/core/place.ts";
import { reasonOf } from "../../../src/errors.ts";
import { isAllowed, type IdLists } from "../access.ts";
import { menu } from "../commands/definitions.ts";
import { formIdOf, modalOf, modalValues } from "../commands/form-modal.ts";
import { interactionKey, placeOf, summaryKey, timeOf } from "../ids.ts";
import type { InteractionNotes } from "../interactions.ts";
import { readButtonId, readFormId } from "../outbound/buttons.ts";
import type { DiscordRest } from "../outbound/rest.ts";
import { offer } from "./autocomplete.ts";
import type { History } from "./history.ts";
import {
  callbackTypes,
  ephemeral,
  interactionTypes,
  sceneOf,
  textOf,
  type InteractionPayload,
  type OptionPayload,
  type Scene,
} from "./interaction-payload.ts";
import { filesOf, isAttachment, personOf, type MessagePayload } from "./payload.ts";
import { plainText, readText, type Names } from "./text.ts";
import { isThread } from "../gateway/rooms.ts";

export interface InteractionTaking {
  /** Takes an interaction in and acknowledges it. Never throws: what cannot be stored is not acknowledged, which Discord shows. */
  take(interaction: InteractionPayload, inbox: Inbox, signal: AbortSignal): Promise<void>;
}

export interface InteractionTakingOptions {
  readonly rest: Pick<DiscordRest, "call">;
  readonly notes: InteractionNotes;
  readonly directory: Directory;
  readonly history: History;
  readonly names: (message: MessagePayload) => Names;
  readonly joined: KeyValueMap<true>;
  readonly allow: IdLists;
  readonly deny: IdLists;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
}

/** How long a token writes, in ms. */
const tokenMs = 15 * 60_000;
/** Interactions that are known again. */
const remembered = 1_000;

/** What becomes of an interaction: what is stored, and how Discord is told that it was. */
type Taken =
  | { readonly inbound: Inbound; readonly deferred: "everybody" | "asker" | "none"; readonly callback: object }
  | { readonly callback: object };

const whisper = (content: string): { readonly callback: object } => ({
  callback: { type: callbackTypes.message, data: { content, flags: ephemeral, allowed_mentions: { parse: [] } } },
});
const notAllowed = whisper("Parley is not there for you here. Whoever runs it decides who may use it.");
const nothingThere = whisper("There is nothing in that message to answer.");
const outdated = whisper("This button no longer does anything.");
const formGone = whisper(
  "This form is no longer open: it was made for somebody else, was sent already, or is more than a day old. Ask for it again.",
);
/** The first answer to an interaction, or none: nothing else may have been said to it. */
const opened = (form: Form | undefined): { readonly callback: object } =>
  form === undefined ? formGone : { callback: { type: callbackTypes.modal, data: modalOf(form) } };
const deferredFor = (who: "everybody" | "asker"): object => ({
  type: callbackTypes.deferredMessage,
  data: who === "asker" ? { flags: ephemeral } : {},
});
const summariseWords = "Summarise these messages: what it is about, what was decided, what is open.";

export function createInteractionTaking(options: InteractionTakingOptions): InteractionTaking {
  const { rest, notes, directory, history, names, joined, allow, deny, log } = options;

  const callback = async ({ id, token }: InteractionPayload, body: object, signal: AbortSignal): Promise<boolean> => {
    try {
      await rest.call({ method: "POST", route: `/interactions/${id}/${token}/callback`, body, auth: false }, signal);
      return true;
    } catch (thrown) {
      log.warn({ interaction: id, reason: reasonOf(thrown) }, "an interaction could not be acknowledged");
      return false;
    }
  };

  const whoIn = ({ user, member }: Scene) => personOf(user, member);
  const base = ({ id }: InteractionPayload, { user, member, place, direct }: Scene) => ({
    key: interactionKey(id),
    place,
    author: personOf(user, member),
    at: timeOf(id),
    ...(direct ? { direct: true } : {}),
  });

  const command = async (interaction: InteractionPayload, scene: Scene): Promise<Taken> => {
    const { name = "", options: given = [], resolved } = interaction.data ?? {};
    const info = directory.commands.find((one) => one.name === name);
    if (info?.opensForm === true && given.length === 0) {
      const { place, direct } = scene;
      const form = await directory.formOf(name, { place, person: whoIn(scene), ...(direct ? { direct } : {}) });
      // Why there is none is the command's to say.
      if (form !== undefined) return opened(form);
    }
    const everybody = info?.forEverybody === true;
    const deferred = everybody ? "everybody" : "asker";
    const isFile = ({ name: option }: OptionPayload): boolean =>
      info?.options.some((one) => one.name === option && one.type === "file") === true;
    const chosen = Object.fromEntries(given.filter((one) => !isFile(one)).map((option) => [option.name, textOf(option)]));
    const attachments = given.filter(isFile).map((option) => resolved?.attachments?.[textOf(option)]);
    const files = filesOf({ attachments: attachments.filter(isAttachment) });
    return {
      deferred,
      callback: deferredFor(deferred),
      inbound: { kind: "command", ...base(interaction, scene), name, options: chosen, text: "", files },
    };
  };

  /** A menu's command that is about a message's files is run where it was chosen, as if it had been typed there with them. */
  const ofFiles = async (
    interaction: InteractionPayload,
    scene: Scene,
    { name, forEverybody }: CommandInfo,
    entry: MessageMenu,
    message: MessagePayload,
  ): Promise<Taken> => {
    const files = takenFiles(entry, filesOf(message));
    if (entry.opensForm === true && files.length > 0) {
      const { place, direct } = scene;
      const form = await directory.formOf(name, { place, person: whoIn(scene), files, ...(direct ? { direct } : {}) });
      // Why there is none is the command's to say.
      if (form !== undefined) return opened(form);
    }
    const shown = forEverybody === true && entry.opensForm !== true && files.length > 0;
    const deferred = shown ? "everybody" : "asker";
    return {
      deferred,
      callback: deferredFor(deferred),
      inbound: { kind: "command", ...base(interaction, scene), name, options: {}, text: "", files, chosen: true },
    };
  };

  /** A menu's command asks about a message, in the thread that it begins or is in. */
  const chosen = async (interaction: InteractionPayload, scene: Scene): Promise<Taken> => {
    const { name, target_id: target = "", resolved } = interaction.data ?? {};
    const message = resolved?.messages?.[target];
    if (message === undefined) return outdated;
    const info = directory.commands.find((one) => one.menu?.label === name);
    if (info?.menu !== undefined) return ofFiles(interaction, scene, info, info.menu, message);
    const { room, direct, tokenOnly, place } = scene;
    const summary = name === menu.summarise;
    // What came behind the message is read when the turn runs; where Parley is not, there is only the message itself.
    const context = summary && tokenOnly ? history.asContext([message]) : [];
    const runs: readonly Run[] = summary ? [{ typed: summariseWords }] : wordsOf(message, scene);
    const files = summary ? [] : filesOf(message);
    if (runs.length === 0 && files.length === 0) return nothingThere;
    const threaded = direct || isThread(room) ? place : placeOf(place.tenant, room.id, target);
    if (threaded.thread !== null) await joined.set(placeKey(threaded), true);
    const inbound: InboundMessage = {
      kind: "message",
      ...base(interaction, scene),
      ...(summary ? { key: summaryKey(interaction.id) } : {}),
      place: threaded,
      message: target,
      runs,
      files,
      ...(context.length === 0 ? {} : { context }),
      ...(summary && !tokenOnly ? { joins: true } : {}),
    };
    // Where Parley can write for itself, the answer is a message of its own there, and the token only says so.
    if (tokenOnly) return { inbound, deferred: "everybody", callback: deferredFor("everybody") };
    const where = direct ? "below" : isThread(room) ? "in this thread" : "in the thread of that message";
    return { inbound, deferred: "none", ...whisper(`Parley answers ${where}.`) };
  };

  /** What somebody else wrote addresses no agent. */
  const wordsOf = (message: MessagePayload, { user }: Scene): readonly Run[] => {
    if (message.author?.id === user.id) return readText(message.content ?? "", { id: "", role: undefined }, names(message)).runs;
    const text = plainText(message.content ?? "", names(message));
    return text === "" ? [] : [{ quoted: text }];
  };

  const pressed = async (interaction: InteractionPayload, scene: Scene): Promise<Taken> => {
    const id = interaction.data?.custom_id ?? "";
    const form = readFormId(id);
    if (form !== undefined) return opened(await directory.form(form, whoIn(scene)));
    const button = readButtonId(id);
    if (button === undefined) return outdated;
    const inbound: Inbound = { kind: "action", ...base(interaction, scene), ...button };
    return { inbound, deferred: "none", callback: { type: callbackTypes.deferredUpdate } };
  };

  const submitted = async (interaction: InteractionPayload, scene: Scene): Promise<Taken> => {
    const { custom_id: id = "", components } = interaction.data ?? {};
    const form = await directory.form(formIdOf(id) ?? "", whoIn(scene));
    if (form === undefined) return formGone;
    const { direct: _where, ...around } = base(interaction, scene);
    const inbound: InboundSubmission = {
      kind: "submission",
      ...around,
      place: form.place,
      ...(form.direct === true ? { direct: true } : {}),
      form: form.id,
      values: modalValues(form, components),
    };
    const deferred = form.forEverybody === true ? "everybody" : "asker";
    return { inbound, deferred, callback: deferredFor(deferred) };
  };

  const read = async (interaction: InteractionPayload, scene: Scene): Promise<Taken> => {
    switch (interaction.type) {
      case interactionTypes.command:
        return interaction.data?.type === 3 ? chosen(interaction, scene) : command(interaction, scene);
      case interactionTypes.component:
        return pressed(interaction, scene);
      case interactionTypes.modal:
        return submitted(interaction, scene);
      default:
        return outdated;
    }
  };

  const taken = new Set<string>();
  /** Whether it came before: its notes and its acknowledgement must stay as they are. */
  const isTwin = (id: string): boolean => {
    if (taken.has(id)) return true;
    taken.add(id);
    const [oldest] = taken;
    if (taken.size > remembered && oldest !== undefined) taken.delete(oldest);
    return false;
  };

  return {
    async take(interaction, inbox, signal) {
      const scene = sceneOf(interaction);
      if (scene === undefined || isTwin(interaction.id)) return;
      const { id } = interaction;
      const { user, member, room, tokenOnly } = scene;
      const asker = {
        user: user.id,
        roles: member?.roles ?? [],
        guild: room.guild,
        channels: [room.id, ...(room.parent === null ? [] : [room.parent])],
      };
      const allowed = isAllowed({ allow, deny }, asker);
      try {
        if (interaction.type === interactionTypes.autocomplete) {
          const choices = allowed ? await offer(interaction, scene, options) : [];
          await callback(interaction, { type: callbackTypes.choices, data: { choices } }, signal);
          return;
        }
        const reading = allowed ? await read(interaction, scene) : notAllowed;
        if (!("inbound" in reading)) {
          await callback(interaction, reading.callback, signal);
          return;
        }
        const { inbound, deferred } = reading;
        await notes.opened({
          id,
          applicationId: interaction.application_id,
          token: interaction.token,
          key: inbound.key,
          place: inbound.place,
          person: user.id,
          expiresAt: inbound.at + tokenMs,
          deferred,
          tokenOnly,
          fileBytes: interaction.attachment_size_limit ?? null,
        });
        // Acknowledged only once it is stored; what comes twice was acknowledged the first time.
        let accepted = false;
        try {
          if ((await inbox.receive(inbound)) === "new") accepted = await callback(interaction, reading.callback, signal);
        } finally {
          notes.acknowledged(id, accepted);
        }
      } catch (thrown) {
        log.error({ err: thrown, interaction: id }, "an interaction could not be taken in, and is not acknowledged");
      }
    },
  };
}
