/** `parley keys`: API keys of the embedded workspace. */
import { parseArgs } from "node:util";
import { permissions } from "../contract/permissions.ts";
import { Fault } from "../errors.ts";
import { createKey, createUser, listKeys, revokeKey, setKeyPermissions } from "../service/admin.ts";
import { table, type Output } from "./output.ts";
import { rotateEncryption, rotateUsage } from "./rotate-encryption.ts";
import { withWorkspace, type CliContext, type OpenWorkspace } from "./workspace-file.ts";

export const keysUsage = [
  "keys create --name NAME --permissions a,b|all [--user NAME]   make a key; it is printed once",
  "keys list                                                      show all keys",
  "keys allow ID --permissions a,b|all                            change what a key may do",
  "keys revoke ID                                                 end a key for ever",
] as const;

const usageFault = (got: string): Fault =>
  new Fault("usage", `expected one of:\n  ${[...keysUsage, rotateUsage].join("\n  ")}\ngot: keys ${got}`);
const named = (list: string | undefined): string[] => {
  if (list === undefined)
    throw new Fault(
      "usage",
      `expected --permissions with names separated by commas, or all. The names are:\n  ${permissions.join(", ")}`,
    );
  return list === "all"
    ? [...permissions]
    : list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
};
const idOf = (value: string | undefined): number => {
  if (value === undefined || !/^\d+$/.test(value))
    throw new Fault("usage", `expected a key's number, as keys list shows it, got ${value ?? "nothing"}`);
  return Number(value);
};

interface Given {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly permissions?: string | undefined;
  readonly user?: string | undefined;
}
type Work = (workspace: OpenWorkspace, output: Output) => Promise<void>;

function create({ name, permissions: list, user }: Given): Work {
  if (name === undefined) throw new Fault("usage", "expected --name with a name for the key");
  const held = named(list);
  return async (workspace, output) => {
    if (user !== undefined) await createUser(workspace, user);
    output.line(await createKey(workspace, { name, permissions: held, ...(user === undefined ? {} : { user }) }));
  };
}

const list = (): Work => async (workspace, output) => {
  const rows = (await listKeys(workspace)).map((key) => [
    String(key.id),
    key.name,
    key.user,
    `…${key.hint}`,
    key.revokedAt === null ? "live" : "revoked",
    key.permissions.length === permissions.length ? "all" : key.permissions.join(","),
  ]);
  output.line(table(["ID", "NAME", "USER", "KEY", "STATE", "PERMISSIONS"], rows));
};

function allow(given: Given): Work {
  const id = idOf(given.id);
  const held = named(given.permissions);
  return async (workspace, output) => {
    if (!(await setKeyPermissions(workspace, id, held))) throw new Fault("key_unknown", `there is no live key ${id}`);
    output.line(`Key ${id} now has these permissions. They count from its next request on.`);
  };
}

function revoke(given: Given): Work {
  const id = idOf(given.id);
  return async (workspace, output) => {
    if (!(await revokeKey(workspace, id))) throw new Fault("key_unknown", `there is no live key ${id}`);
    output.line(`Key ${id} is revoked.`);
  };
}

/** Each checks what it is given before the workspace is opened, so that a mistyped command makes no data folder. */
const verbs = new Map<string | undefined, (given: Given) => Work>([
  ["create", create],
  ["list", list],
  ["allow", allow],
  ["revoke", revoke],
]);

export async function keys(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { name: { type: "string" }, permissions: { type: "string" }, user: { type: "string" } },
  });
  const [verb, id] = positionals;
  if (verb === "rotate-encryption") return rotateEncryption(context.config, output);
  const work = verbs.get(verb)?.({ ...values, id });
  if (work === undefined) throw usageFault(args.join(" "));
  await withWorkspace(context, (workspace) => work(workspace, output));
}
