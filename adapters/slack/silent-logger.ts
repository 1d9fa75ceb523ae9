/** A logger for the SDK that says nothing: at its debug level it logs message texts and response URLs. */
import type { Logger, LogLevel } from "@slack/web-api";

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => "error" as LogLevel,
  setName: () => {},
};
