/** The client's own connections: never the process's global dispatcher, which other packages set for themselves. */
import { Agent, buildConnector } from "undici";
import { ConnectFailure } from "./faults.ts";

/**
 * Connections whose failures to come about can be told from lost answers.
 * @param connectMs until there is a connection
 */
export function createAgent(connectMs: number): Agent {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return new Agent({
    allowH2: false,
    // Deadlines are ours, by the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(new ConnectFailure(error), null),
      ),
  });
}
