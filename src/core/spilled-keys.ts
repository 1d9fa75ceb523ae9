/** Workspace keys that somebody wrote where they do not belong: found and cut out before anything is stored. */
import { apiKeyForm } from "../contract/identifiers.ts";
import type { Inbound, Run } from "./inbound.ts";

const masked = "[a workspace key]";

/** `text` without the keys in it. */
const withoutKeys = (text: string): string => text.replaceAll(apiKeyForm, masked);

const inRun = (run: Run): Run =>
  "typed" in run
    ? { typed: withoutKeys(run.typed) }
    : "name" in run
      ? { name: withoutKeys(run.name) }
      : { quoted: withoutKeys(run.quoted) };

function cut(inbound: Inbound): Inbound {
  switch (inbound.kind) {
    case "message":
      return {
        ...inbound,
        runs: inbound.runs.map(inRun),
        ...(inbound.context === undefined
          ? {}
          : { context: inbound.context.map((one) => ({ ...one, text: withoutKeys(one.text) })) }),
      };
    case "edit":
      return { ...inbound, runs: inbound.runs.map(inRun) };
    case "command": {
      const options = Object.entries(inbound.options).map(([name, value]) => [name, withoutKeys(value)]);
      return { ...inbound, text: withoutKeys(inbound.text), options: Object.fromEntries(options) };
    }
    case "submission": {
      const values = Object.entries(inbound.values).map(([name, value]) => [
        name,
        typeof value === "string" ? withoutKeys(value) : value.map(withoutKeys),
      ]);
      return { ...inbound, values: Object.fromEntries(values) };
    }
    case "action":
    case "delete":
    case "notice":
      return inbound;
  }
}

/** True when there is a workspace key anywhere in `value`, plain JSON. */
export const holdsKey = (value: unknown): boolean => new RegExp(apiKeyForm.source).test(JSON.stringify(value));

/** What came in, as it may be stored; `spilled` where there was a key in what its author wrote. */
export function cutKeys(inbound: Inbound): Inbound {
  if (!holdsKey(inbound)) return inbound;
  const clean = cut(inbound);
  // Earlier messages of the thread are others' words.
  const { context: _mine, ...own } = { context: undefined, ...inbound };
  return holdsKey(own) ? { ...clean, spilled: true } : clean;
}
