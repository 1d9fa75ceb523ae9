/** The client's own connections: never the process's global dispatcher, which other packages set for themselves. */
import { Agent, buildConnector } from "undici";
import { ConnectFailure } from "./faults.ts";

/**
 * Connections whose failures to come about can be told from lost answers.
 * A request leaves at once, or within `connectMs` where a connection has to be made first, or not at all: also when the
 * process was paused meanwhile, and another may have asked in its place.
 * @param connectMs until there is a connection
 * @param now milliseconds of a clock that only goes forward
 */
export function createAgent(connectMs: number, now: () => number = () => performance.now()): Agent {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return new Agent({
    allowH2: false,
    // Deadlines are ours, by the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const begunAt = now();
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(new ConnectFailure(error), null);
        // A timer of a paused process comes too late: after its wake the socket is heard first.
        if (now() - begunAt <= connectMs) return callback(null, socket);
        socket.destroy();
        callback(new ConnectFailure(new Error(`the connection took longer than ${connectMs} ms`)), null);
      });
    },
  });
}
