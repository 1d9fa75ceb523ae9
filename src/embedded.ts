/** The embedded workspace, put together. Loaded only where it is used: a Parley that acts in another one never reads it. */
import { systemClock as clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { ensureOwnerKey, keepSamples } from "./service/admin.ts";
import { configuredProviders } from "./service/providers/configured.ts";
import { configuredMedia } from "./service/providers/media/configured.ts";
import { createService, type Service } from "./service/service.ts";

const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);

/** Opens it in the data folder, with the owner's key registered. */
export async function openEmbedded(config: Config, ownerKey: string, log: Log): Promise<Service> {
  const service = await createService({
    dataDir: config.dataDir,
    providers: configuredProviders(config.models, clock),
    media: configuredMedia(config.models, clock, process.env["PATH"] ?? ""),
    clock,
    random,
    log,
  });
  await ensureOwnerKey(service.ctx, ownerKey);
  await keepSamples(service.ctx);
  return service;
}
