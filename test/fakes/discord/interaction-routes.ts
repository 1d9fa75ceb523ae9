/** Interactions: acknowledged once within three seconds, then answered through a token for fifteen minutes. */
import { invalid, refuse } from "./errors.ts";
import { flags } from "./message-body.ts";
import { done, ok, type ApiRequest, type Route } from "./routing.ts";
import type { FakeMessage, FakeUser, State } from "./state.ts";
import type { Writing } from "./writing.ts";

export interface FakeInteraction {
  readonly id: string;
  readonly token: string;
  /** 2 command, 3 component, 4 autocomplete, 5 modal. */
  readonly type: number;
  readonly channel: string;
  readonly user: FakeUser;
  readonly at: number;
  /** The message with the pressed button. */
  readonly source: string | null;
  /** The type of the acknowledgement; null while there is none. */
  acknowledged: number | null;
  ephemeral: boolean;
  /** Message that `@original` stands for. */
  original: string | null;
  /** What autocomplete offered. */
  choices: readonly { readonly name: string; readonly value: string }[] | null;
  /** The modal that was opened. */
  modal: Modal | null;
}

export interface InteractionRouteOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly writing: Writing;
  readonly interactions: Map<string, FakeInteraction>;
  /** Told of every acknowledgement. */
  readonly onAcknowledged: (interaction: FakeInteraction) => void;
  /** How long an interaction waits for its acknowledgement, in ms. */
  readonly acknowledgeMs: number;
}

const tokenMs = 15 * 60_000;

export function interactionRoutes({
  state,
  bot,
  writing,
  interactions,
  onAcknowledged,
  acknowledgeMs,
}: InteractionRouteOptions): Route[] {
  const byToken = (request: ApiRequest): FakeInteraction => {
    const found = [...interactions.values()].find(({ token }) => token === request.params["token"]);
    if (found === undefined || request.params["webhook"] !== bot.id) return refuse(10015);
    if (state.now() - found.at > tokenMs) refuse(50027);
    if (found.acknowledged === null) refuse(10015);
    return found;
  };
  const messageOf = (interaction: FakeInteraction, id: string): FakeMessage => {
    const message = state.messages.get(id === "@original" ? (interaction.original ?? "") : id);
    return message === undefined || (id !== "@original" && message.interaction !== interaction.id) ? refuse(10008) : message;
  };
  /** A message of this interaction, which Discord posts whatever the bot may do in the channel. */
  const put = (request: ApiRequest, interaction: FakeInteraction, ephemeral: boolean): FakeMessage => {
    const channel = state.channels.get(interaction.channel);
    if (channel === undefined) return refuse(10003);
    return writing.create(
      request,
      channel,
      {
        type: 20,
        webhook: bot.id,
        interaction: interaction.id,
        onlyFor: ephemeral ? interaction.user.id : null,
        flags: Number(request.body.flags ?? 0) | (ephemeral ? flags.ephemeral : 0),
      },
      "interaction",
    );
  };

  const deferred = (interaction: FakeInteraction): FakeMessage => ({
    id: state.id(),
    channel: interaction.channel,
    author: bot,
    type: 20,
    content: "",
    components: [],
    embeds: [],
    attachments: [],
    flags: flags.loading | (interaction.ephemeral ? flags.ephemeral : 0),
    editedAt: null,
    nonce: null,
    reference: null,
    webhook: bot.id,
    onlyFor: interaction.ephemeral ? interaction.user.id : null,
    interaction: interaction.id,
  });

  return [
    {
      name: "POST /interactions/:interaction/:token/callback",
      auth: "token",
      answer(request) {
        const { params, body } = request;
        const interaction = interactions.get(params["interaction"] ?? "");
        if (interaction === undefined || interaction.token !== params["token"]) return refuse(10062);
        if (interaction.acknowledged !== null) refuse(40060);
        if (state.now() - interaction.at > acknowledgeMs) refuse(10062);
        const type = Number(body.type);
        const allowed =
          interaction.type === 4
            ? [8]
            : interaction.type === 2
              ? [4, 5, 9]
              : interaction.type === 5
                ? modalAnswers(interaction)
                : [4, 5, 6, 7, 9];
        if (!allowed.includes(type)) invalid("type", "BASE_TYPE_CHOICES", `Value must be one of {${allowed.join(", ")}}.`);
        if (type === 8) interaction.choices = checkChoices(body.data?.choices);
        if (type === 9) interaction.modal = checkModal(body.data);
        interaction.ephemeral = (Number(body.data?.flags ?? 0) & flags.ephemeral) !== 0;
        interaction.acknowledged = type;
        if (type === 4) interaction.original = put({ ...request, body: body.data ?? {} }, interaction, interaction.ephemeral).id;
        if (type === 5) {
          const message = deferred(interaction);
          writing.put(message);
          interaction.original = message.id;
        }
        if (type === 6 || type === 7) interaction.original = interaction.source;
        onAcknowledged(interaction);
        return done;
      },
    },
    {
      name: "POST /webhooks/:webhook/:token",
      auth: "token",
      answer(request) {
        const interaction = byToken(request);
        const ephemeral = (Number(request.body.flags ?? 0) & flags.ephemeral) !== 0;
        // The first follow-up to a deferral fills the deferred message in, as visible as that was deferred.
        const original = interaction.original === null ? undefined : state.messages.get(interaction.original);
        if (original !== undefined && (original.flags & flags.loading) !== 0) {
          original.flags &= ~flags.loading;
          writing.edit({ ...request, body: { ...request.body, flags: undefined } }, original);
          return ok(writing.view(original));
        }
        return ok(writing.view(put(request, interaction, ephemeral)));
      },
    },
    {
      name: "GET /webhooks/:webhook/:token/messages/:message",
      auth: "token",
      answer: (request) => ok(writing.view(messageOf(byToken(request), request.params["message"] ?? ""))),
    },
    {
      name: "PATCH /webhooks/:webhook/:token/messages/:message",
      auth: "token",
      answer(request) {
        const message = messageOf(byToken(request), request.params["message"] ?? "");
        const loading = (message.flags & flags.loading) !== 0;
        writing.edit(request, message);
        message.flags = (message.flags & ~flags.loading) | (message.onlyFor === null ? 0 : flags.ephemeral);
        // What was loading is said now: it is not shown as edited.
        if (loading) message.editedAt = null;
        return ok(writing.view(message));
      },
    },
    {
      name: "DELETE /webhooks/:webhook/:token/messages/:message",
      auth: "token",
      answer(request) {
        writing.remove(messageOf(byToken(request), request.params["message"] ?? ""));
        return done;
      },
    },
  ];
}

function checkChoices(choices: unknown): { name: string; value: string }[] {
  if (!Array.isArray(choices) || choices.length > 25)
    return invalid("data.choices", "BASE_TYPE_BAD_LENGTH", "Must be 25 or fewer in length.");
  for (const [at, choice] of (choices as { name: unknown; value: unknown }[]).entries()) {
    for (const field of ["name", "value"] as const) {
      const text = choice[field];
      if (typeof text !== "string" || text.length < 1 || text.length > 100)
        invalid(`data.choices.${at}.${field}`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
    }
  }
  return choices as { name: string; value: string }[];
}

/** Another modal is never the answer to one, and only what began at a message may change that. */
const modalAnswers = ({ source }: FakeInteraction): number[] => (source === null ? [4, 5] : [4, 5, 6, 7]);

export interface ModalComponent {
  readonly type: number;
  readonly custom_id: string;
  readonly required?: boolean;
  readonly max_length?: number;
  readonly value?: string;
  readonly min_values?: number;
  readonly max_values?: number;
  readonly options?: readonly { readonly label: string; readonly value: string; readonly default?: boolean }[];
}

/** https://docs.discord.com/developers/components/using-modal-components */
export interface Modal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly { readonly label: string; readonly description?: string; readonly component: ModalComponent }[];
}

const length = (value: unknown, least: number, most: number, where: string): string => {
  if (typeof value === "string" && value.length >= least && value.length <= most) return value;
  return invalid(where, "BASE_TYPE_BAD_LENGTH", `Must be between ${least} and ${most} in length.`);
};
const choice = (value: unknown, of: readonly unknown[], where: string): void => {
  if (!of.includes(value)) invalid(where, "BASE_TYPE_CHOICES", `Value must be one of {${of.join(", ")}}.`);
};

function checkComponent(component: Record<string, unknown>, where: string, ids: Set<string>): void {
  choice(component["type"], [3, 4], `${where}.type`);
  const id = length(component["custom_id"], 1, 100, `${where}.custom_id`);
  if (ids.has(id)) invalid(`${where}.custom_id`, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
  ids.add(id);
  if (component["type"] === 4) {
    choice(component["style"], [1, 2], `${where}.style`);
    const most = Number(component["max_length"] ?? 4_000);
    if (most < 1 || most > 4_000)
      invalid(`${where}.max_length`, "NUMBER_TYPE_MAX", "int value should be less than or equal to 4000.");
    if (component["value"] !== undefined) length(component["value"], 0, most, `${where}.value`);
    // A label names it.
    if (component["label"] !== undefined)
      invalid(`${where}.label`, "UNKNOWN_FIELD", "A text input in a label has no label of its own.");
    return;
  }
  const options = component["options"];
  if (!Array.isArray(options) || options.length < 1 || options.length > 25)
    return invalid(`${where}.options`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.");
  const {
    min_values: least = 1,
    max_values: most = 1,
    required = true,
  } = component as { min_values?: number; max_values?: number; required?: boolean };
  if (most < 1 || most > options.length || least < 0 || least > most || (required && least === 0))
    invalid(`${where}.max_values`, "NUMBER_TYPE_MAX", "min_values and max_values must fit the options.");
  const values = new Set<string>();
  for (const [at, option] of (options as Record<string, unknown>[]).entries()) {
    length(option["label"], 1, 100, `${where}.options.${at}.label`);
    values.add(length(option["value"], 1, 100, `${where}.options.${at}.value`));
    if (option["description"] !== undefined) length(option["description"], 1, 100, `${where}.options.${at}.description`);
  }
  if (values.size !== options.length)
    invalid(`${where}.options`, "COMPONENT_OPTION_VALUE_DUPLICATED", "The option value is already used");
  if ((options as { default?: boolean }[]).filter((option) => option.default === true).length > most)
    invalid(`${where}.options`, "COMPONENT_DEFAULTS", "More options are the default than may be chosen.");
}

function checkModal(data: { custom_id?: unknown; title?: unknown; components?: unknown } | undefined): Modal {
  const { custom_id: id, title, components } = data ?? {};
  length(id, 1, 100, "data.custom_id");
  length(title, 1, 45, "data.title");
  if (!Array.isArray(components) || components.length < 1 || components.length > 5)
    return invalid("data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
  const ids = new Set<string>();
  for (const [at, one] of (components as Record<string, unknown>[]).entries()) {
    const where = `data.components.${at}`;
    choice(one["type"], [18], `${where}.type`);
    length(one["label"], 1, 45, `${where}.label`);
    if (one["description"] !== undefined) length(one["description"], 1, 100, `${where}.description`);
    checkComponent((one["component"] ?? {}) as Record<string, unknown>, `${where}.component`, ids);
  }
  return data as Modal;
}
