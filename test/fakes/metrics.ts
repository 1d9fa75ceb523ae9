/** Counters of which none counts. */
import type { CoreMetrics } from "../../src/core/metrics.ts";
import type { RelayMetrics } from "../../src/core/relay/relay.ts";

const nothing = (): void => {};

export const silentRelayMetrics: RelayMetrics = {
  firstWords: nothing,
  staleness: nothing,
  editSent: nothing,
  editSaved: nothing,
  heldBack: nothing,
  finish: nothing,
};

export const silentMetrics: CoreMetrics & RelayMetrics = {
  ...silentRelayMetrics,
  turnReceived: nothing,
  turnClosed: nothing,
  rated: nothing,
  leaseLost: nothing,
  lateWrite: nothing,
  latePost: nothing,
  turnsHere: nothing,
  workspaceError: nothing,
};
