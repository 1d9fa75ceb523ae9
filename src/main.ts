/** The command line, loaded by `parley.js`. Each command loads only what it needs. */
import { existsSync } from "node:fs";
import type { App } from "./app.ts";
import { standardOutput as output } from "./cli/output.ts";
import { readConfig } from "./config.ts";
import { Fault } from "./errors.ts";

// What is written is for its owner only, also in a folder that others may look into.
process.umask(0o077);

/** Runs until SIGTERM or SIGINT; a second signal ends the process at once. */
async function serve(app: App, ready: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(1);
      stopping = true;
      void app.stop().then(resolve, (thrown: unknown) => {
        process.stderr.write(`${String(thrown)}\n`);
        process.exit(1);
      });
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
  // Said last: whoever reads it may stop the server at once.
  output.line(ready);
  await ended;
  process.exit(0);
}

const asksForHelp = (word: string): boolean => word === "--help" || word === "-h";

/** For commands that take nothing: a word that is not understood is never passed over. */
function takesNothing(command: string, args: readonly string[]): void {
  if (args.length > 0) throw new Fault("usage", `${command} takes nothing else, got: ${args.join(" ")}`);
}

function thereIsNo(command: string): never {
  throw new Fault("usage", `there is no command ${command}. npm run parley -- help shows all there are.`);
}

async function main([command = "start", ...args]: readonly string[]): Promise<void> {
  if (command === "help" || asksForHelp(command) || args.some(asksForHelp)) {
    const { help, helpOf } = await import("./cli/help.ts");
    const about = command === "help" ? args[0] : asksForHelp(command) ? undefined : command;
    const text = about === undefined || asksForHelp(about) ? help() : helpOf(about);
    return text === undefined ? thereIsNo(about ?? "") : output.line(text);
  }
  if (["start", "workspace", "doctor"].includes(command)) takesNothing(command, args);
  // What the environment already has wins over the file.
  if (existsSync(".env")) process.loadEnvFile();
  const config = readConfig(process.env);
  switch (command) {
    case "start": {
      const app = await (await import("./app.ts")).start(config);
      return serve(app, `Parley is ready: ${app.url}`);
    }
    case "workspace": {
      const app = await (await import("./workspace-server.ts")).startWorkspace(config);
      return serve(app, `The workspace is ready: ${app.url}`);
    }
    case "doctor":
      process.exitCode = (await (await import("./cli/doctor.ts")).doctor(config, output)) ? 0 : 1;
      return;
    case "manifest":
      return (await import("./cli/manifest.ts")).manifest(args, output);
    case "audit":
      return (await import("./cli/audit.ts")).audit(args, { config }, output);
    case "backup":
      return (await import("./cli/backup.ts")).backup(args, { config }, output);
    case "move-store":
      return (await import("./cli/move-store.ts")).moveStoreTo(args, { config }, output);
    case "keys":
      return (await import("./cli/keys.ts")).keys(args, { config }, output);
    case "quota":
      return (await import("./cli/quota.ts")).quota(args, { config }, output);
    case "rules":
      return (await import("./cli/rules.ts")).rules(args, { config }, output);
    case "agents":
      return (await import("./cli/sharing.ts")).agents(args, { config }, output);
    case "projects":
      return (await import("./cli/sharing.ts")).projects(args, { config }, output);
    case "prompts":
      return (await import("./cli/sharing.ts")).prompts(args, { config }, output);
    default:
      thereIsNo(command);
  }
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  // An expected problem is told in its own words; anything else with its trace, for a bug report.
  const expected =
    thrown instanceof Fault || (thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS"));
  process.stderr.write(`${expected ? thrown.message : thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  process.exit(1);
}
