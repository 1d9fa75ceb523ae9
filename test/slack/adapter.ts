/** The Slack adapter alone before the fake Slack, with an inbox that a test decides. */
import { createSlack, type Slack, type SlackOptions } from "../../adapters/slack/slack.ts";
import type { Directory } from "../../src/core/commands/types.ts";
import { commands } from "../../src/core/commands/index.ts";
import type { Form } from "../../src/core/forms.ts";
import type { Settings } from "../../src/core/settings.ts";
import { openFront, type Front } from "../../src/front/server.ts";
import { createLog } from "../../src/log.ts";
import { recordingInbox } from "../console/host.ts";
import { formsFor, noForms } from "../fakes/forms.ts";
import { runningClock as clock } from "../fakes/running-clock.ts";
import { openFakeSlack, type FakeSlack, type FakeSlackOptions } from "../fakes/slack/slack.ts";
import type { Transport } from "./world.ts";

export interface Adapter {
  readonly slack: FakeSlack;
  readonly adapter: Slack;
  readonly inbox: ReturnType<typeof recordingInbox>;
  readonly log: readonly string[];
  /** Those that Ann may open. */
  readonly forms: Map<string, Form>;
  /** The settings that every place has. */
  settings: Settings;
  readonly close: () => Promise<void>;
}

const directory: Directory = {
  ...noForms,
  commands,
  suggest: (source, query) =>
    Promise.resolve(
      source === "models"
        ? [
            { value: "Small 1", label: "Small 1" },
            { value: "Large 2", label: "Large 2" },
          ].filter(({ value }) => value.startsWith(query))
        : [],
    ),
};

/** A map that is gone with the test. */
export const memoryMap = <Value>() => {
  const held = new Map<string, Value>();
  return {
    get: (key: string) => Promise.resolve(held.get(key)),
    set: (key: string, value: Value) => Promise.resolve(held.set(key, value)),
    delete: (key: string) => Promise.resolve(held.delete(key)),
  };
};

export async function openAdapter(
  transport: Transport,
  options: { readonly slack?: FakeSlackOptions; readonly adapter?: Partial<SlackOptions>; readonly started?: boolean } = {},
): Promise<Adapter> {
  const slack = await openFakeSlack({ ...options.slack, transport });
  const lines: string[] = [];
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const opened = { settings: {} as Settings };
  const forms = new Map<string, Form>();
  const adapter = createSlack({
    botToken: slack.tokens.bot,
    transport: transport === "socket" ? { appToken: slack.tokens.app } : { signingSecret: slack.tokens.signing },
    apiUrl: slack.apiUrl,
    friends: [],
    groups: ["S0TEAM"],
    operators: [],
    streaming: "edit",
    followUps: "thread",
    settings: () => Promise.resolve(opened.settings),
    participation: memoryMap<true>(),
    seen: memoryMap<number>(),
    catchUp: false,
    directory: { ...directory, ...formsFor("U0ANN", forms) },
    clock,
    random: () => 0,
    log,
    ...options.adapter,
  });
  let front: Front | undefined;
  const { fetch } = adapter;
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
  const inbox = recordingInbox();
  const end = new AbortController();
  if (options.started !== false) await adapter.platform.start(inbox, end.signal);
  return Object.assign(opened, {
    forms,
    slack,
    adapter,
    inbox,
    log: lines,
    async close() {
      end.abort(new Error("the test is over"));
      await adapter.platform.stop();
      await front?.close();
      await slack.close();
    },
  });
}

/** Waits until `look` gives something. */
export async function until<T>(look: () => T | undefined | false | null): Promise<T> {
  for (let waited = 0; waited < 6_000; waited++) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("waited in vain");
}
