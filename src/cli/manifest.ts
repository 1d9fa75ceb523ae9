/** `parley manifest`: what a platform is given to register Parley. */
import { parseArgs } from "node:util";
import { slackManifest } from "../../adapters/slack/manifest.ts";
import { commands } from "../core/commands/index.ts";
import { Fault } from "../errors.ts";
import { manifestUsage } from "./manifest-usage.ts";
import type { Output } from "./output.ts";

export function manifest(args: readonly string[], output: Output): void {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { http: { type: "string" } } });
  const [platform, ...more] = positionals;
  if (platform !== "slack" || more.length > 0) throw new Fault("usage", `expected: ${manifestUsage[0]}`);
  output.line(JSON.stringify(slackManifest(commands, values.http === undefined ? null : eventsAddress(values.http)), null, 2));
}

/** The address of `/slack/events` on a server. */
function eventsAddress(server: string): string {
  if (!URL.canParse(server) || new URL(server).protocol !== "https:")
    throw new Fault("usage", `expected an https address that Slack reaches, got ${JSON.stringify(server)}`);
  const url = new URL(server);
  return url.pathname.endsWith("/slack/events") ? url.href : new URL(`${url.pathname.replace(/\/$/, "")}/slack/events`, url).href;
}
