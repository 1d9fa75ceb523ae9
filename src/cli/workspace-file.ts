/** Opens the embedded workspace's database beside a running server. */
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { makeDataFolder } from "../data-folder.ts";
import { Fault } from "../errors.ts";
import { openWorkspace } from "../service/admin.ts";
import type { ServiceContext } from "../service/context.ts";

export interface CliContext {
  readonly config: Config;
}

export type OpenWorkspace = Pick<ServiceContext, "db" | "clock" | "random">;

/** Gives `work` the open workspace, and closes it behind it. */
export async function withWorkspace(context: CliContext, work: (workspace: OpenWorkspace) => Promise<void>): Promise<void> {
  if (context.config.workspace !== null) {
    throw new Fault(
      "hosted",
      "WORKSPACE_BASE_URL is set: keys, quota and rules of a hosted workspace are managed there, not here",
    );
  }
  makeDataFolder(context.config.dataDir);
  const db = await openWorkspace(context.config.dataDir);
  try {
    await work({ db, clock: systemClock, random: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>) });
  } finally {
    await db.destroy();
  }
}
