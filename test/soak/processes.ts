/** The processes of a program, as `/proc` of Linux shows them. */
import { readFileSync, readdirSync } from "node:fs";

export interface ProcessStatus {
  readonly pid: number;
  readonly parent: number;
  /** One letter: `T` is stopped, `Z` has ended. */
  readonly state: string;
}

/** Undefined when there is no such process any more. */
export function statusOf(pid: number): ProcessStatus | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name before these stands in brackets, and may hold anything.
  const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(parent), state };
}

export const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statusOf(Number(name)) ?? [])
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid);
