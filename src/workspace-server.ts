/** `parley workspace`: the embedded workspace served alone, for replicas or other programs. */
import type { App } from "./app.ts";
import { isLoopback, type Config } from "./config.ts";
import { holdDataFolder, makeDataFolder, readSecrets } from "./data-folder.ts";
import { openEmbedded } from "./embedded.ts";
import { alive, ready, type Checks } from "./front/health.ts";
import { openFront, type Part } from "./front/server.ts";
import { isWorkspacePath } from "./front/workspace.ts";
import { createLog } from "./log.ts";

/** Serves the embedded workspace alone. */
export async function startWorkspace(config: Config): Promise<App> {
  const log = createLog(config.logLevel);
  makeDataFolder(config.dataDir);
  const letGo = holdDataFolder(config.dataDir);
  const service = await openEmbedded(config, config.ownerKey ?? readSecrets(config.dataDir).ownerKey, log);
  const loopback = isLoopback(config.host);
  const checks: Checks = { workspace: () => null };
  const parts = new Map<string, Part>([
    ["/healthz", alive],
    ["/readyz", ready(checks)],
  ]);
  const front = await openFront({
    host: config.host,
    port: config.port,
    rules: { loopback },
    log,
    partOf: (path) => {
      const part = parts.get(path);
      if (part !== undefined) return { part, checkOrigin: false };
      return isWorkspacePath(path) && (loopback || config.workspacePublic) ? { part: service, checkOrigin: true } : undefined;
    },
  });
  const url = `${front.url}/api/v1`;
  service.setPublicUrl(url);
  return {
    url,
    async stop() {
      await front.close();
      await service.close();
      letGo();
    },
  };
}
