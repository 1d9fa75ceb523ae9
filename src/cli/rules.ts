/** `parley rules`: what the embedded workspace allows. */
import { Fault, reasonOf } from "../errors.ts";
import { readRules, ruleNames, writeRules, type Rules } from "../service/admin.ts";
import type { Output } from "./output.ts";
import { withWorkspace, type CliContext } from "./workspace-file.ts";

export const rulesUsage = [
  "rules                                                          show the rules",
  "rules set NAME JSON                                            change one of them",
] as const;

const isRule = (name: string): name is keyof Rules => (ruleNames as readonly string[]).includes(name);

export async function rules(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const [verb, name, value] = args;
  if (verb !== undefined && verb !== "set")
    throw new Fault("usage", `expected one of:\n  ${rulesUsage.join("\n  ")}\ngot: rules ${verb}`);
  await withWorkspace(context, async ({ db }) => {
    if (verb === "set") {
      if (name === undefined || !isRule(name) || value === undefined) {
        throw new Fault(
          "usage",
          `expected rules set NAME JSON, with NAME one of ${ruleNames.join(", ")}, got ${[name, value].filter(Boolean).join(" ") || "nothing"}`,
        );
      }
      try {
        await writeRules(db, { [name]: JSON.parse(value) as unknown });
      } catch (cause) {
        throw new Fault("usage", `${name}: ${reasonOf(cause)}`, { cause });
      }
    }
    for (const [rule, setting] of Object.entries(await readRules(db)))
      output.line(`${rule.padEnd(18)} ${JSON.stringify(setting)}`);
  });
}
