/** Slack as a chat platform: joins what comes in, by socket or by HTTP, with what goes out. */
import { sleep, type Clock } from "../../src/clock.ts";
import type { Directory } from "../../src/core/commands/types.ts";
import type { Inbox } from "../../src/core/inbound.ts";
import type { KeyValueMap } from "../../src/core/maps.ts";
import type { Place } from "../../src/core/place.ts";
import type { ChatPlatform, Posted } from "../../src/core/platform.ts";
import type { FollowUps, Settings, Streaming } from "../../src/core/settings.ts";
import { isFinal } from "../../src/core/relay/reply.ts";
import { Fault, reasonOf, WriteFault } from "../../src/errors.ts";
import type { Log } from "../../src/log.ts";
import { createResponseUrls } from "./commands/response-urls.ts";
import { listen } from "./commands/listeners.ts";
import { createSessions } from "./commands/sessions.ts";
import { slackName, type Identity } from "./inbound/address.ts";
import { createCompletion } from "./inbound/complete.ts";
import { createFileReader } from "./inbound/files.ts";
import { createIntake, type Intake } from "./inbound/intake.ts";
import { createRecentFiles } from "./inbound/recent-files.ts";
import { createInteractionReading } from "./inbound/interactions.ts";
import { createMessageReading } from "./inbound/messages.ts";
import { createParticipation } from "./inbound/participation.ts";
import { fetchMissed } from "./inbound/missed.ts";
import { createPeople, isAnswer, type People } from "./inbound/people.ts";
import { watchPresence } from "./inbound/presence.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { createStreamTargets } from "./outbound/stream-targets.ts";
import { createWeb } from "./outbound/web.ts";
import { createHttp } from "./transport/http.ts";
import { createReceiver } from "./transport/receiver.ts";
import { socketTimes } from "./transport/socket.ts";
import { createSockets } from "./transport/sockets.ts";

export interface SlackOptions {
  readonly botToken: string;
  /** Socket Mode with an app token, else signed HTTP requests. */
  readonly transport: { readonly appToken: string } | { readonly signingSecret: string };
  /** `https://slack.com/api/` unless it was changed; ends in a slash. */
  readonly apiUrl: string;
  /** Other workspaces whose people are no strangers. */
  readonly friends: readonly string[];
  /** User groups that decide who is answered. */
  readonly groups: readonly string[];
  readonly operators: readonly string[];
  /** Where a channel has chosen nothing. */
  readonly followUps: FollowUps;
  /** Where a place has chosen nothing. */
  readonly streaming: Streaming;
  readonly settings: (place: Place) => Promise<Settings>;
  /** The threads that Parley takes part in. */
  readonly participation: KeyValueMap<true>;
  /** When Parley last saw what is said, by workspace. */
  readonly seen: KeyValueMap<number>;
  /** Answer what was missed while Parley was down. */
  readonly catchUp: boolean;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

export interface Slack {
  readonly platform: ChatPlatform;
  /** Serves `/slack/events`; undefined with Socket Mode. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** Names of the operators, for those who are refused. */
  contact(): Promise<string>;
}

const slackApi = "https://slack.com/api/";
/** How long a start waits for Slack to say who Parley is, in ms. */
const identifyMs = 15_000;
/** Between tries to reach Slack at a start, in ms. */
const startAgainMs = 10_000;

/** What is there once Slack has said who Parley is. */
interface Connected {
  readonly self: Identity;
  readonly people: People;
  readonly intake: Intake;
  readonly complete: ChatPlatform["complete"];
}

export function createSlack(options: SlackOptions): Slack {
  const { botToken, transport, apiUrl, clock, log } = options;
  const web = createWeb({ token: botToken, apiUrl, clock });
  const streamTargets = createStreamTargets();
  const outbound = createOutbound({ web, clock, streamTargets, log });
  const participation = createParticipation(options.participation);
  const extraOrigin = apiUrl === slackApi ? undefined : new URL(apiUrl).origin;
  const openFile = createFileReader({ web, token: botToken, extraOrigin });
  const sessions = createSessions(web, log);
  const responseUrls = createResponseUrls(clock, extraOrigin);
  let inbox: Inbox | null = null;
  let connected: Connected | undefined;
  const connecting = Promise.withResolvers<Connected>();

  /** A turn of an earlier process may be run before Slack has said who Parley is: it waits. */
  const soon = async (signal: AbortSignal): Promise<Connected> => {
    if (connected !== undefined) return connected;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([connecting.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  const here = (): Connected => {
    if (connected === undefined) throw new Fault("slack_not_started", "Slack is not started yet");
    return connected;
  };
  const receiver = createReceiver(() => here().intake, responseUrls, log);
  const sockets =
    "appToken" in transport
      ? createSockets({
          appToken: transport.appToken,
          apiUrl,
          clock,
          times: socketTimes,
          random: options.random,
          log,
          receive: (body, ack, retryNum) => {
            if (inbox === null) return;
            receiver.receive(body, ack, retryNum).catch((thrown: unknown) => {
              log.error({ reason: reasonOf(thrown) }, "something from Slack could not be stored; Slack will send it again");
            });
          },
        })
      : undefined;
  const fetch =
    "signingSecret" in transport
      ? createHttp({
          signingSecret: transport.signingSecret,
          receiver,
          now: () => clock.now(),
          isOpen: () => inbox !== null,
          log,
        })
      : undefined;

  const connect = async (signal: AbortSignal): Promise<Connected> => {
    const answer = await web.call("auth.test", {}, AbortSignal.any([signal, AbortSignal.timeout(identifyMs)]));
    const field = (name: string): string => (typeof answer[name] === "string" ? answer[name] : "");
    const self: Identity = { team: field("team_id"), user: field("user_id"), bot: field("bot_id"), app: field("app_id") };
    if (self.team === "" || self.user === "")
      throw new Fault("slack_identity", "Slack does not say who Parley is; is SLACK_BOT_TOKEN a bot's token?");
    const people = createPeople(web, clock);
    const now = (): number => clock.now();
    const interactions = createInteractionReading({ self, commands: options.directory.commands, now });
    const intake = createIntake({
      self,
      inbox: () => inbox,
      participation,
      readMessage: createMessageReading({
        self,
        participation,
        followUps: async (place) => (await options.settings(place)).followUps ?? options.followUps,
      }),
      readInteraction: interactions.read,
    });
    const { slash, chosen } = interactions;
    listen({ receiver, token: botToken, self, web, directory: options.directory, intake, slash, chosen, now, log });
    return {
      self,
      people,
      intake,
      complete: createCompletion({ web, people, self, friends: options.friends, groups: options.groups }),
    };
  };

  /** From its first message on, Parley takes part in a thread. */
  const joined = async (posted: Posted): Promise<Posted> => {
    await participation.join({ ...posted.place, thread: posted.place.thread ?? posted.id });
    return posted;
  };

  /** Aborted once nothing is to be taken in any more. */
  const ended = new AbortController();
  const end = (): void => {
    inbox = null;
    ended.abort(new Fault("slack_stopped", "Slack was stopped"));
    sockets?.stop();
  };
  const begin = async (to: Inbox, signal: AbortSignal): Promise<void> => {
    connected ??= await connect(AbortSignal.any([signal, ended.signal]));
    connecting.resolve(connected);
    ended.signal.throwIfAborted();
    inbox = to;
    await sockets?.start(signal);
    if (options.catchUp) void watch(connected);
  };
  /** Slack was not to be reached: the rest of Parley works meanwhile. */
  const beginLater = async (to: Inbox, signal: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        await sleep(clock, startAgainMs, ended.signal);
        return await begin(to, signal);
      } catch (thrown) {
        if (ended.signal.aborted) return;
        log.error({ reason: reasonOf(thrown) }, "Slack could still not be reached; it is tried again");
      }
    }
  };
  const watch = ({ self, intake }: Connected): Promise<void> =>
    watchPresence({
      self,
      seen: options.seen,
      isHearing: () => inbox !== null && (sockets === undefined || sockets.health() === null),
      async makeUp(since, signal) {
        const found = await fetchMissed({ web, intake, clock, log }, since, signal);
        if (found > 0) log.info({ found }, "looked through the messages that were sent while Parley was away");
      },
      clock,
      signal: ended.signal,
      log,
    });

  const platform: ChatPlatform = {
    ...outbound,
    name: slackName,
    async start(to, signal) {
      signal.addEventListener("abort", end, { once: true });
      try {
        await begin(to, signal);
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.code === "slack_socket") throw thrown;
        if (isAnswer(thrown))
          throw new Fault("slack_identity", `Slack does not accept SLACK_BOT_TOKEN: ${reasonOf(thrown)}`, { cause: thrown });
        log.error({ reason: reasonOf(thrown) }, "Slack could not be reached at the start; it is tried again");
        void beginLater(to, signal);
      }
    },
    stop() {
      end();
      return Promise.resolve();
    },
    health: () => (inbox === null ? "Slack is not connected" : (sockets?.health() ?? null)),
    async post(place, document, key, signal) {
      const posted = await joined(await outbound.post(place, document, key, signal));
      if (isFinal(document.state)) void sessions.end(place);
      return posted;
    },
    async edit(posted, document, signal) {
      const outcome = await outbound.edit(posted, document, signal);
      if (isFinal(document.state) && outcome !== "again") void sessions.end(posted.place);
      return outcome;
    },
    async whisper(place, person, document, signal) {
      try {
        await outbound.whisper(place, person, document, signal);
      } catch (thrown) {
        const isOutside = thrown instanceof WriteFault && thrown.outcome === "gone";
        if (!isOutside || !(await responseUrls.answer(place.channel, person.id, document, signal))) throw thrown;
      }
    },
    async complete(inbound, signal) {
      const { streaming = options.streaming } = await options.settings(inbound.place);
      streamTargets.note(inbound.place, inbound.author.id, streaming);
      const completed = await (await soon(signal)).complete(inbound, signal);
      if (completed.kind === "message") void sessions.begin(completed);
      return completed;
    },
    recentFiles: createRecentFiles(web),
    open: openFile,
  };

  return {
    platform,
    fetch,
    async contact() {
      const names = await Promise.all(
        options.operators.map(async (user) => (await here().people.profile(user, AbortSignal.timeout(identifyMs)))?.name ?? user),
      );
      return names.length === 0 ? "whoever runs Parley here" : names.join(" or ");
    },
  };
}
