/** Places by what their keys begin with: all of a tenant, or of a channel. */
import { sql } from "kysely";
import { placeKey } from "../core/place.ts";

/** Every key of a place in the tenant, or in the channel, begins with this. */
export const prefixOf = (platform: string, tenant: string, channel?: string): string =>
  placeKey({ platform, tenant, channel: channel ?? "", thread: null }).replace(channel === undefined ? /::$/ : /:$/, ":");

/** Of a table's rows those whose `place` begins so; not by comparing, as a database's order of text may be a language's. */
export const placeBegins = (prefix: string) => sql<boolean>`substr(place, 1, ${prefix.length}) = ${prefix}`;
