/** Channels, threads and messages over REST. */
import { invalid, refuse } from "./errors.ts";
import { intents, type Gateway } from "./gateway.ts";
import { done, ok, type Route } from "./routing.ts";
import { channelView, historyOf, isThread, type FakeChannel, type FakeUser, type State } from "./state.ts";
import type { Writing } from "./writing.ts";

export interface ChannelRouteOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly gateway: () => Gateway;
  readonly writing: Writing;
  /** The direct message of a person with the bot, made at the first look. */
  readonly direct: (person: FakeUser) => FakeChannel;
}

const archiveAfter = [60, 1440, 4320, 10_080];

export function channelRoutes({ state, bot, gateway, writing, direct }: ChannelRouteOptions): Route[] {
  const view = (channel: FakeChannel): Record<string, unknown> => channelView(state, channel, bot.id);
  const tellChannel = (type: string, channel: FakeChannel, more: object = {}): void =>
    gateway().dispatch({ type, data: { ...view(channel), ...more }, guild: channel.guild, intent: intents.guilds });
  const bounded = (text: string | null, most: number): number => Math.min(Number(text ?? 50), most);

  return [
    {
      name: "GET /channels/:channel",
      auth: "bot",
      answer: ({ params }) => ok(view(writing.channel(params["channel"] ?? ""))),
    },
    {
      name: "PATCH /channels/:channel",
      auth: "bot",
      answer({ params, body }) {
        const channel = writing.channel(params["channel"] ?? "");
        if (isThread(channel) && channel.owner !== bot.id) writing.channel(channel.id, "threads");
        if (body.name !== undefined) {
          const { length } = String(body.name);
          if (length < 1 || length > 100) invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
          channel.name = String(body.name);
        }
        if (body.archived !== undefined) channel.archived = Boolean(body.archived);
        tellChannel(isThread(channel) ? "THREAD_UPDATE" : "CHANNEL_UPDATE", channel);
        return ok(view(channel));
      },
    },
    {
      name: "POST /channels/:channel/typing",
      auth: "bot",
      answer({ params }) {
        writing.channel(params["channel"] ?? "", "send");
        return done;
      },
    },
    {
      name: "GET /channels/:channel/messages",
      auth: "bot",
      answer({ params, query }) {
        const channel = writing.channel(params["channel"] ?? "", "history");
        const limit = bounded(query.get("limit"), 100);
        const all = historyOf(state, channel.id);
        const [before, after] = [query.get("before"), query.get("after")];
        const some =
          after !== null
            ? all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit)
            : all.filter(({ id }) => before === null || BigInt(id) < BigInt(before)).slice(-limit);
        return ok(some.toReversed().map((message) => writing.view(message)));
      },
    },
    {
      name: "GET /channels/:channel/messages/:message",
      auth: "bot",
      answer({ params }) {
        const channel = writing.channel(params["channel"] ?? "", "history");
        return ok(writing.view(writing.message(channel.id, params["message"] ?? "")));
      },
    },
    {
      name: "POST /channels/:channel/messages",
      auth: "bot",
      answer(request) {
        const channel = state.channels.get(request.params["channel"] ?? "");
        const needs = channel !== undefined && isThread(channel) ? (["sendInThreads"] as const) : (["send"] as const);
        const open = writing.channel(
          request.params["channel"] ?? "",
          ...needs,
          ...(request.files.length > 0 ? (["attach"] as const) : []),
        );
        const message = writing.create(request, open, {}, "create");
        return ok({ ...writing.view(message), ...(message.nonce === null ? {} : { nonce: message.nonce }) });
      },
    },
    {
      name: "PATCH /channels/:channel/messages/:message",
      auth: "bot",
      answer(request) {
        const channel = writing.channel(request.params["channel"] ?? "");
        const message = writing.message(channel.id, request.params["message"] ?? "");
        writing.edit(request, message);
        return ok(writing.view(message));
      },
    },
    {
      name: "DELETE /channels/:channel/messages/:message",
      auth: "bot",
      answer({ params }) {
        const channel = writing.channel(params["channel"] ?? "");
        const message = writing.message(channel.id, params["message"] ?? "");
        if (message.author.id !== bot.id && channel.managed !== true) refuse(50013);
        writing.remove(message);
        return done;
      },
    },
    {
      name: "POST /channels/:channel/messages/:message/threads",
      auth: "bot",
      answer({ params, body }) {
        const channel = writing.channel(params["channel"] ?? "", "threads");
        if (channel.type !== 0 && channel.type !== 5) refuse(50024);
        const message = writing.message(channel.id, params["message"] ?? "");
        const name = String(body.name ?? "");
        if (name.length < 1 || name.length > 100) invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
        if (body.auto_archive_duration !== undefined && !archiveAfter.includes(body.auto_archive_duration))
          invalid("auto_archive_duration", "BASE_TYPE_CHOICES", "Value must be one of {60, 1440, 4320, 10080}.");
        if (state.channels.has(message.id)) refuse(160004);
        const thread: FakeChannel = {
          ...channel,
          id: message.id,
          type: 11,
          name,
          parent: channel.id,
          owner: bot.id,
          archived: false,
          locked: false,
          denied: new Set(),
        };
        state.channels.set(thread.id, thread);
        tellChannel("THREAD_CREATE", thread, { newly_created: true });
        return { status: 201, body: view(thread) };
      },
    },
    {
      name: "GET /guilds/:guild/threads/active",
      auth: "bot",
      answer({ params }) {
        const guild = state.guilds.get(params["guild"] ?? "");
        if (guild === undefined || !guild.joined) refuse(10004);
        const threads = [...state.channels.values()].filter((one) => one.guild === guild?.id && isThread(one) && !one.archived);
        return ok({ threads: threads.map(view), members: [] });
      },
    },
    {
      name: "POST /users/@me/channels",
      auth: "bot",
      answer({ body }) {
        const person = state.users.get(String(body.recipient_id));
        return person === undefined ? refuse(10013) : ok(view(direct(person)));
      },
    },
  ];
}
