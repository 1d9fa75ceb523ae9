/** Slack's writing half against the fake Slack. */
import { createOutbound } from "../../../adapters/slack/outbound/outbound.ts";
import { createStreamTargets } from "../../../adapters/slack/outbound/stream-targets.ts";
import { createWeb } from "../../../adapters/slack/outbound/web.ts";
import { emptyDocument, paragraph, type Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { openFakeSlack, type FakeSlackOptions } from "../../fakes/slack/slack.ts";
import { team } from "../../fakes/slack/state.ts";

export const general: Place = { platform: "slack", tenant: team, channel: "C0GENERAL", thread: null };
export const saying = (text: string): Document => ({ ...emptyDocument, blocks: [paragraph(text)] });
export const signal = (): AbortSignal => new AbortController().signal;

/** Opens both; `thread` is a thread in #general that a person began. */
export async function openOutbound(options: FakeSlackOptions = {}) {
  const streamTargets = createStreamTargets();
  const slack = await openFakeSlack(options);
  const clock = fakeClock(Date.now());
  const warnings: object[] = [];
  const web = createWeb({ token: slack.tokens.bot, apiUrl: slack.apiUrl, clock });
  const fresh = () => createOutbound({ web, clock, streamTargets, log: { warn: (fields) => void warnings.push(fields) } });
  const said = await slack.person("U0ANN").says(general.channel, "a question", { silently: true });
  return {
    streamTargets,
    slack,
    clock,
    web,
    warnings,
    outbound: fresh(),
    fresh,
    thread: { ...general, thread: said.ts } as Place,
  };
}
