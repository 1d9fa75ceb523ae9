/** The workspace's calls, told apart: those that only read, and those that may change something there or cost something. */
import { onlyReads } from "./tools/reads.ts";
import type { Workspace } from "./workspace.ts";

type Calls = {
  readonly [Group in keyof Workspace]: Workspace[Group] extends object ? ReadonlyArray<keyof Workspace[Group]> : [];
};

/** Calls that change nothing and cost nothing. Whatever is not named here may do either. */
const reads: Omit<Calls, "run"> = {
  conversations: ["messages", "list", "follow"],
  models: ["list"],
  agents: ["all"],
  projects: ["all"],
  prompts: ["all", "list", "lastUsed", "mostUsed", "recentlyAdded", "favorites", "runHistory"],
  files: ["download", "isPublic"],
  images: [],
  jobs: ["models", "read", "list"],
  tools: ["list"],
};
const reading: ReadonlySet<string> = new Set(
  Object.entries(reads).flatMap(([group, calls]) => calls.map((call) => `${group}.${call}`)),
);

/**
 * The workspace, with a say before each call that may change or cost something, right before it goes out.
 * @param before is told the call, such as `jobs.create`; what it throws, the call rejects with, and nothing is asked
 */
export function watchedWorkspace(workspace: Workspace, before: (call: string) => void): Workspace {
  const watched = (target: object, path: string): object =>
    new Proxy(target, {
      get(of, name) {
        const call = `${path}${String(name)}`;
        const member: unknown = Reflect.get(of, name);
        if (typeof member === "object" && member !== null) return watched(member, `${call}.`);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          try {
            if (!reading.has(call) && !(call === "tools.call" && onlyReads(String(args[0])))) before(call);
          } catch (thrown) {
            return Promise.reject(thrown as Error);
          }
          return (member as (...all: unknown[]) => unknown).apply(of, args);
        };
      },
    });
  return watched(workspace, "") as Workspace;
}
