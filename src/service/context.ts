/** What every handler of the embedded workspace is given: its database, its clock, and who is calling. */
import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import type { Permission } from "../contract/permissions.ts";
import type { Log } from "../log.ts";
import type { ServiceSchema } from "./schema.ts";

/** Fills the bytes it is given and returns them; cryptographic in production. */
export type Random = (bytes: Uint8Array) => Uint8Array;

export interface ServiceContext {
  readonly db: Kysely<ServiceSchema>;
  readonly clock: Clock;
  readonly random: Random;
  /** Folder of `workspace.sqlite` and of stored objects. */
  readonly dataDir: string;
  readonly log: Log;
  /** The REST root as others reach it, without a trailing slash, such as `http://127.0.0.1:3000/api/v1`. Known once listening. */
  readonly publicUrl: () => string;
}

/** The owner of the key that a request came with, and what the key may do on this request. */
export interface Caller {
  readonly userId: number;
  readonly userName: string;
  readonly keyId: number;
  /** The key's permissions that its owner has too. */
  readonly permissions: ReadonlySet<Permission>;
}

/** The present as the interface writes it: ISO 8601. */
export const timestamp = (ctx: Pick<ServiceContext, "clock">): string => new Date(ctx.clock.now()).toISOString();
