/** What a fault of the workspace says of the request: whether it was acted on, and whether asking again makes sense. */
import { WorkspaceFault } from "../errors.ts";

/** True when the same request was certainly not acted on, and may succeed later by itself. */
export const passing = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceFault && (thrown.kind === "unreachable" || thrown.kind === "rate_limited");

/** True when the request may have been acted on although no answer tells of it. */
export const uncertain = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceFault && (thrown.kind === "lost" || thrown.kind === "malformed" || thrown.foreign);

/** True when reading the same again makes no sense: it is gone or kept from the key, or the fault is none of the workspace's. */
export const lasting = (thrown: unknown): boolean =>
  !(thrown instanceof WorkspaceFault) || ["not_found", "unauthorized", "forbidden", "rejected"].includes(thrown.kind);
