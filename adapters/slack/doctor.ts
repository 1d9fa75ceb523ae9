/** What Slack tells of Parley's registration, for `parley doctor`. */
import { systemClock } from "../../src/clock.ts";
import { reasonOf } from "../../src/errors.ts";
import { createWeb } from "./outbound/web.ts";
import { slackScopes } from "./manifest.ts";
import { isPayload } from "./payload.ts";

export interface SlackFinding {
  readonly ok: boolean;
  readonly text: string;
}

export interface SlackCheck {
  readonly botToken: string;
  readonly transport: { readonly appToken: string } | { readonly signingSecret: string };
  readonly apiUrl: string;
}

const checkMs = 10_000;
const good = (text: string): SlackFinding => ({ ok: true, text: `slack: ${text}` });
const bad = (text: string): SlackFinding => ({ ok: false, text: `slack: ${text}` });

/** Checks token, scopes and transport; changes nothing. */
export async function checkSlack({ botToken, transport, apiUrl }: SlackCheck): Promise<readonly SlackFinding[]> {
  const call = (token: string, method: string) =>
    createWeb({ token, apiUrl, clock: systemClock }).call(method, {}, AbortSignal.timeout(checkMs));
  const findings: SlackFinding[] = [];
  try {
    const answer = await call(botToken, "auth.test");
    findings.push(
      good(`the bot token is accepted, as ${String(answer["user"])} in ${String(answer["team"])}`),
      ...scopes(answer),
    );
  } catch (thrown) {
    findings.push(
      bad(`SLACK_BOT_TOKEN is of no use at ${apiUrl}: ${reasonOf(thrown)}; install the app again and copy its bot token`),
    );
  }
  if ("appToken" in transport) {
    try {
      await call(transport.appToken, "apps.connections.open");
      findings.push(good("Socket Mode can be opened with the app token"));
    } catch (thrown) {
      findings.push(
        bad(
          `SLACK_APP_TOKEN opens no socket: ${reasonOf(thrown)}; it needs the scope connections:write, and Socket Mode has to be on`,
        ),
      );
    }
  } else {
    findings.push(good("by HTTP at /slack/events; Slack shows in the app's event subscriptions whether it reaches that address"));
  }
  findings.push(
    good("Slack tells nobody which events an app subscribed to; npm run parley -- manifest slack prints those that it needs"),
  );
  return findings;
}

/** Slack names a token's scopes beside each answer. */
function scopes(answer: Readonly<Record<string, unknown>>): SlackFinding[] {
  const metadata = answer["response_metadata"];
  const given = isPayload(metadata) && Array.isArray(metadata["scopes"]) ? (metadata["scopes"] as unknown[]) : undefined;
  if (given === undefined) return [good("Slack does not say which scopes the token has")];
  const missing = Object.keys(slackScopes).filter((scope) => !given.includes(scope));
  return [
    missing.length === 0
      ? good("the token has every scope that is needed")
      : bad(`the token lacks ${missing.join(", ")}: add these scopes to the app, and install it again`),
  ];
}
