/** `parley manifest`: what a platform is given to register Parley. */
import { parseArgs } from "node:util";
import { discordManifest } from "../../adapters/discord/manifest.ts";
import { slackManifest } from "../../adapters/slack/manifest.ts";
import { commands } from "../core/commands/index.ts";
import { Fault } from "../errors.ts";
import { manifestUsage } from "./manifest-usage.ts";
import type { Output } from "./output.ts";

export function manifest(args: readonly string[], output: Output): void {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { http: { type: "string" } } });
  const [platform, ...more] = positionals;
  if (more.length > 0 || (platform === "discord" && values.http !== undefined)) throw usageFault();
  if (platform === "discord") return output.line(JSON.stringify(discordManifest(commands), null, 2));
  if (platform !== "slack") throw usageFault();
  output.line(JSON.stringify(slackManifest(commands, values.http === undefined ? null : eventsAddress(values.http)), null, 2));
}

const usageFault = (): Fault => new Fault("usage", `expected one of:\n  ${manifestUsage.join("\n  ")}`);

/** The address of `/slack/events` on a server. */
function eventsAddress(server: string): string {
  if (!URL.canParse(server) || new URL(server).protocol !== "https:")
    throw new Fault("usage", `expected an https address that Slack reaches, got ${JSON.stringify(server)}`);
  const url = new URL(server);
  return url.pathname.endsWith("/slack/events") ? url.href : new URL(`${url.pathname.replace(/\/$/, "")}/slack/events`, url).href;
}
