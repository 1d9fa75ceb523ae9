/** `parley keys`: API keys of the embedded workspace. */
import { parseArgs } from "node:util";
import { permissions } from "../contract/permissions.ts";
import { Fault } from "../errors.ts";
import { createKey, createUser, listKeys, revokeKey, setKeyPermissions } from "../service/admin.ts";
import { table, type Output } from "./output.ts";
import { withWorkspace, type CliContext } from "./workspace-file.ts";

export const keysUsage = [
  "keys create --name NAME --permissions a,b|all [--user NAME]   make a key; it is printed once",
  "keys list                                                      show all keys",
  "keys allow ID --permissions a,b|all                            change what a key may do",
  "keys revoke ID                                                 end a key for ever",
] as const;

const usageFault = (got: string): Fault => new Fault("usage", `expected one of:\n  ${keysUsage.join("\n  ")}\ngot: keys ${got}`);
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

export async function keys(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { name: { type: "string" }, permissions: { type: "string" }, user: { type: "string" } },
  });
  const [verb = "", id] = positionals;
  await withWorkspace(context, async (workspace) => {
    switch (verb) {
      case "create": {
        if (values.name === undefined) throw new Fault("usage", "expected --name with a name for the key");
        const held = named(values.permissions);
        if (values.user !== undefined) await createUser(workspace, values.user);
        const key = await createKey(workspace, {
          name: values.name,
          permissions: held,
          ...(values.user === undefined ? {} : { user: values.user }),
        });
        output.line(key);
        return;
      }
      case "list": {
        const rows = (await listKeys(workspace)).map((key) => [
          String(key.id),
          key.name,
          key.user,
          `…${key.hint}`,
          key.revokedAt === null ? "live" : "revoked",
          key.permissions.length === permissions.length ? "all" : key.permissions.join(","),
        ]);
        output.line(table(["ID", "NAME", "USER", "KEY", "STATE", "PERMISSIONS"], rows));
        return;
      }
      case "allow":
        if (!(await setKeyPermissions(workspace, idOf(id), named(values.permissions))))
          throw new Fault("key_unknown", `there is no live key ${id}`);
        output.line(`Key ${id} now has these permissions. They count from its next request on.`);
        return;
      case "revoke":
        if (!(await revokeKey(workspace, idOf(id)))) throw new Fault("key_unknown", `there is no live key ${id}`);
        output.line(`Key ${id} is revoked.`);
        return;
      default:
        throw usageFault(args.join(" "));
    }
  });
}
