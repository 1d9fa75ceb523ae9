/** Parley's core with the Slack adapter before the fake Slack, by either transport, in real time. */
import { createSlack, type Slack } from "../../adapters/slack/slack.ts";
import type { Engine } from "../../src/core/engine.ts";
import type { FollowUps } from "../../src/core/settings.ts";
import { openFront, type Front } from "../../src/front/server.ts";
import { createMap } from "../../src/store/key-values.ts";
import { openCore, type CoreOptions, type CoreWorld } from "../fakes/core.ts";
import { runningClock as clock } from "../fakes/running-clock.ts";
import { openFakeSlack, type FakeSlack, type FakeSlackOptions } from "../fakes/slack/slack.ts";
import { shownOf } from "../fakes/slack/shown.ts";
import type { FakeMessage } from "../fakes/slack/state.ts";

export { shownOf } from "../fakes/slack/shown.ts";

const unpaced = () => [{ key: "unpaced", count: 1_000, windowMs: 1_000, burst: 1_000 }];

export type Transport = "socket" | "http";
export const transports: readonly Transport[] = ["socket", "http"];

export interface WorldOptions extends CoreOptions {
  readonly followUps?: FollowUps;
  /** Parley was here before, until this time. */
  readonly missedSince?: number;
  /** Another Slack than the fake one to call; the fake only delivers. */
  readonly api?: { readonly apiUrl: string; readonly botToken: string };
  /** What is done to the fake Slack before Parley starts. */
  readonly before?: (slack: FakeSlack) => Promise<void> | void;
  readonly slack?: Omit<FakeSlackOptions, "transport">;
}

export interface World extends CoreWorld {
  readonly slack: FakeSlack;
  readonly adapter: Slack;
  readonly engine: Engine;
  /** Parley's messages in a thread once one of them shows these words. */
  readonly answered: (channel: string, thread: string, words: string) => Promise<readonly FakeMessage[]>;
  /** Keys of all turns in the store. */
  readonly stored: () => Promise<string[]>;
  close(): Promise<void>;
}

export async function openWorld(transport: Transport, options: WorldOptions = {}): Promise<World> {
  const slack = await openFakeSlack({ ...options.slack, transport });
  const core = await openCore(options, { externals: false, contact: () => adapter.contact() });
  const { opened, settings, access, log } = core;
  const engine = core.engine({
    // Slack's budgets would only make the tests slow; others hold them.
    platforms: () => [{ ...adapter.platform, limits: { ...adapter.platform.limits, budgets: unpaced } }],
    threadNames: () => undefined,
  });
  const adapter = createSlack({
    botToken: options.api?.botToken ?? slack.tokens.bot,
    transport: transport === "socket" ? { appToken: slack.tokens.app } : { signingSecret: slack.tokens.signing },
    apiUrl: options.api?.apiUrl ?? slack.apiUrl,
    friends: [],
    // The other Slack has no user groups.
    groups: options.api === undefined ? ["S0TEAM"] : [],
    operators: access.operators ?? [],
    streaming: "auto",
    followUps: options.followUps ?? "thread",
    settings: (place) => settings.effective(place),
    participation: createMap<true>(opened.db, clock, "slack-participation"),
    seen: createMap<number>(opened.db, clock, "slack-seen"),
    catchUp: options.missedSince !== undefined,
    directory: engine.directory,
    clock,
    random: Math.random,
    log,
  });
  const { fetch } = adapter;
  let front: Front | undefined;
  if (fetch !== undefined) {
    front = await openFront({
      host: "127.0.0.1",
      port: 0,
      rules: { loopback: true },
      log,
      partOf: (path) => (path === "/slack/events" ? { part: { fetch }, checkOrigin: false } : undefined),
    });
    slack.requestUrl = `http://127.0.0.1:${front.port}/slack/events`;
  }
  if (options.missedSince !== undefined)
    await createMap<number>(opened.db, clock, "slack-seen").set("slack:T0ACME:seen:", options.missedSince);
  await options.before?.(slack);
  const end = new AbortController();
  await adapter.platform.start(core.inbox(engine), end.signal);
  await engine.start();

  return {
    ...core.world,
    slack,
    adapter,
    engine,
    answered: (channel, thread, words) =>
      core.world.until(() => {
        const all = slack.answers(channel, thread);
        return all.some((message) => shownOf(message).includes(words)) ? all : undefined;
      }),
    stored: async () => (await opened.db.selectFrom("turns").select("key").execute()).map(({ key }) => key),
    async close() {
      end.abort(new Error("the test is over"));
      await adapter.platform.stop();
      await engine.drain();
      await front?.close();
      await slack.close();
      await opened.close();
    },
  };
}
