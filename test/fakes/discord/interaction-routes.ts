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
  modal: unknown;
}

export interface InteractionRouteOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly writing: Writing;
  readonly interactions: Map<string, FakeInteraction>;
  /** Told of every acknowledgement. */
  readonly onAcknowledged: (interaction: FakeInteraction) => void;
}

const acknowledgeMs = 3_000;
const tokenMs = 15 * 60_000;

export function interactionRoutes({ state, bot, writing, interactions, onAcknowledged }: InteractionRouteOptions): Route[] {
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
        const allowed = interaction.type === 4 ? [8] : interaction.type === 2 ? [4, 5, 9] : [4, 5, 6, 7, 9];
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

function checkModal(data: { custom_id?: unknown; title?: unknown; components?: unknown } | undefined): unknown {
  const { custom_id: id, title, components } = data ?? {};
  if (typeof id !== "string" || id.length < 1 || id.length > 100)
    invalid("data.custom_id", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
  if (typeof title !== "string" || title.length < 1 || title.length > 45)
    invalid("data.title", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 45 in length.");
  if (!Array.isArray(components) || components.length < 1 || components.length > 5)
    invalid("data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
  return data;
}
