/** What a database's statements throw, told to one who listens. */
import type { Logger } from "kysely";

/** For kysely's `log`. */
export const failuresTo =
  (failed: (thrown: unknown) => void = () => {}): Logger =>
  (event) => {
    if (event.level === "error") failed(event.error);
  };
