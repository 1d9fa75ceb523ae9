/** `parley agents`, `parley projects` and `parley prompts`: what the workspace's interface has no route for. */
import { parseArgs } from "node:util";
import type { ShareFlags } from "../contract/records.ts";
import { Fault } from "../errors.ts";
import {
  addProjectFile,
  ensureOwner,
  pinProject,
  setProjectInstructions,
  shareAgent,
  shareProject,
  sharePrompt,
  userNamed,
} from "../service/admin.ts";
import { table, type Output } from "./output.ts";
import { withWorkspace, type CliContext, type OpenWorkspace } from "./workspace-file.ts";

export const sharingUsage = [
  "agents list                                                    show all agents",
  "agents share ID --with USER|workspace                          let others see an agent",
  "projects list                                                  show all projects",
  "projects instructions ID TEXT                                  say this to the model in every conversation of a project",
  "projects file ID FILE [--user NAME]                            put an uploaded file into a project",
  "projects pin ID [--user NAME]                                  pin a project",
  "projects share ID --with USER|workspace [--may FLAGS]          FLAGS: prompts,files,project",
  "prompts list                                                   show all saved prompts",
  "prompts share ID --with USER|workspace                         let others see and run a saved prompt",
] as const;

const flagNames: Readonly<Record<string, keyof ShareFlags>> = {
  prompts: "prompt_management",
  files: "file_management",
  project: "project_management",
};

const usageFault = (got: string): Fault => new Fault("usage", `expected one of:\n  ${sharingUsage.join("\n  ")}\ngot: ${got}`);

function numberOf(what: string, value: string | undefined): number {
  if (value === undefined || !/^\d+$/.test(value))
    throw new Fault("usage", `expected ${what} as a number, got ${value ?? "nothing"}`);
  return Number(value);
}

async function audienceOf(workspace: OpenWorkspace, name: string | undefined): Promise<"workspace" | { userId: number }> {
  if (name === undefined) throw new Fault("usage", "expected --with and the name of a user, or workspace");
  return name === "workspace" ? name : { userId: (await userNamed(workspace, name)).id };
}

function flagsOf(list: string | undefined): Partial<ShareFlags> {
  const named = (list ?? "").split(",").filter((name) => name !== "");
  const unknown = named.find((name) => flagNames[name] === undefined);
  if (unknown !== undefined) throw new Fault("usage", `--may: expected prompts, files and project, got ${unknown}`);
  return Object.fromEntries(named.map((name) => [flagNames[name], true]));
}

/** An unknown id is told as a person's mistake, not as a fault of the program. */
async function asked(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new Fault("usage", thrown.message, { cause: thrown });
    throw thrown;
  }
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { with: { type: "string" }, may: { type: "string" }, user: { type: "string" } },
  });

export async function agents(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const { positionals, values } = parse(args);
  const [verb, id] = positionals;
  if (verb !== "list" && verb !== "share") throw usageFault(`agents ${args.join(" ")}`);
  await withWorkspace(context, async (workspace) => {
    if (verb === "list") {
      const rows = await workspace.db.selectFrom("agents").selectAll().where("deleted_at", "is", null).orderBy("id").execute();
      output.line(
        table(
          ["ID", "TAG", "NAME"],
          rows.map((row) => [String(row.id), `@${row.tag}`, row.name]),
        ),
      );
      return;
    }
    await asked(shareAgent(workspace, numberOf("an agent", id), await audienceOf(workspace, values.with)));
    output.line(`Agent ${id} is shared with ${values.with}.`);
  });
}

export async function projects(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const { positionals, values } = parse(args);
  const [verb = "", id, ...rest] = positionals;
  if (!["list", "instructions", "file", "pin", "share"].includes(verb)) throw usageFault(`projects ${args.join(" ")}`);
  await withWorkspace(context, async (workspace) => {
    const user = async (): Promise<number> =>
      (values.user === undefined ? await ensureOwner(workspace) : await userNamed(workspace, values.user)).id;
    switch (verb) {
      case "list": {
        const rows = await workspace.db
          .selectFrom("projects")
          .selectAll()
          .where("deleted_at", "is", null)
          .orderBy("id")
          .execute();
        output.line(
          table(
            ["ID", "NAME", "INSTRUCTIONS"],
            rows.map((row) => [String(row.id), row.name, row.instructions === "" ? "none" : "yes"]),
          ),
        );
        return;
      }
      case "instructions":
        await asked(setProjectInstructions(workspace, numberOf("a project", id), rest.join(" ")));
        output.line(`Project ${id} has new instructions.`);
        return;
      case "file":
        await asked(
          addProjectFile(workspace, numberOf("a project", id), { userId: await user(), fileId: numberOf("a file", rest[0]) }),
        );
        output.line(`File ${rest[0]} is in project ${id}.`);
        return;
      case "pin":
        await asked(pinProject(workspace, await user(), numberOf("a project", id)));
        output.line(`Project ${id} is pinned.`);
        return;
      case "share":
        await asked(
          shareProject(workspace, numberOf("a project", id), await audienceOf(workspace, values.with), flagsOf(values.may)),
        );
        output.line(`Project ${id} is shared with ${values.with}.`);
        return;
    }
  });
}

export async function prompts(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const { positionals, values } = parse(args);
  const [verb, id] = positionals;
  if (verb !== "list" && verb !== "share") throw usageFault(`prompts ${args.join(" ")}`);
  await withWorkspace(context, async (workspace) => {
    if (verb === "list") {
      const live = workspace.db.selectFrom("prompts").selectAll().where("deleted_at", "is", null);
      const rows = await live.orderBy("id").execute();
      output.line(
        table(
          ["ID", "NAME", "SHARED"],
          rows.map((row) => [String(row.id), row.name, row.shared_with_workspace_id === null ? "no" : "workspace"]),
        ),
      );
      return;
    }
    await asked(sharePrompt(workspace, numberOf("a prompt", id), await audienceOf(workspace, values.with)));
    output.line(`Prompt ${id} is shared with ${values.with}.`);
  });
}
