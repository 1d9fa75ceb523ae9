/** Speech and transcripts by the workspace's tools, as no REST paths of theirs are documented. */
import { missingPermissions, toolNotFound } from "../../contract/errors.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { WorkspaceTool } from "../../contract/records.ts";
import { WorkspaceFault } from "../../errors.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CallOptions, Workspace } from "../workspace.ts";
import type { Maker } from "./maker.ts";
import type { ToolRecipe } from "./order.ts";
import { argumentFor, idAs, missingArguments, type Argument, type Meaning } from "./tool-arguments.ts";
import { readToolJob } from "./tool-job.ts";

type ToolKind = ToolRecipe["kind"];

interface ToolNames {
  readonly create: string;
  readonly status: string;
  /** Of the one that begins it, for operators. */
  readonly permission: Permission;
  readonly what: string;
}

const toolNames: Readonly<Record<ToolKind, ToolNames>> = {
  speech: {
    create: "generate_speech",
    status: "get_tts_generation_status",
    permission: "tts_generation_manage",
    what: "Speech",
  },
  transcription: {
    create: "transcribe",
    status: "get_transcription_status",
    permission: "transcription_manage",
    what: "Writing down recordings",
  },
};

interface ToolPlan {
  readonly recipe: ToolRecipe;
  /** The argument that takes the file's id; null where none is given. */
  readonly fileField: string | null;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/**
 * How a tool is called for this, or why it cannot be: said before anything is spent.
 * @param operator true: the missing permission is named
 */
export function planToolCall(
  tools: readonly WorkspaceTool[],
  kind: ToolKind,
  wish: { readonly text?: string; readonly voice?: string; readonly file?: true },
  operator: boolean,
): ToolPlan | { readonly refusal: Refusal } {
  const { create, status, permission, what } = toolNames[kind];
  const tool = tools.find(({ name }) => name === create);
  const missing = tool === undefined ? create : tools.some(({ name }) => name === status) ? null : status;
  if (tool === undefined || missing !== null) {
    const lacks = missing === create ? permission : permission.replace(/_manage$/, "_get");
    return refusal(
      "not_allowed",
      operator
        ? `${what} is not enabled: the account's key may not call the workspace's tool \`${missing}\`. Its permission is \`${lacks}\`.`
        : `${what} is not enabled for the workspace account that Parley uses here. Ask whoever runs Parley.`,
    );
  }
  const args: Record<string, unknown> = {};
  let fileField: string | null = null;
  for (const [meaning, value] of Object.entries(wish) as Array<[Exclude<Meaning, "job">, string | true]>) {
    const argument = argumentFor(tool, meaning);
    if (argument === undefined)
      return refusal(
        "bad_option",
        `The workspace's tool \`${create}\` takes no ${meaning} that Parley knows how to give. Try \`/tool ${create}\`.`,
      );
    if (argument.choices.length > 0 && typeof value === "string" && !argument.choices.includes(value))
      return refusal("bad_option", `“${value}” is no ${meaning} of the workspace: expected ${argument.choices.join(", ")}.`);
    if (value === true) fileField = argument.name;
    else args[argument.name] = value;
  }
  const given = fileField === null ? Object.keys(args) : [...Object.keys(args), fileField];
  const open = missingArguments(tool, given);
  if (open.length > 0)
    return refusal(
      "bad_option",
      `The workspace's tool \`${create}\` also wants ${quoted(open)}. Call it with \`/tool ${create}\`, which asks for them.`,
    );
  return { recipe: { by: "job", kind, tool: create, arguments: args }, fileField };
}

/** The call's own argument for a job's id, by its schema where the tool has one. */
const usualId: Argument = { name: "id", type: "integer", choices: [] };

export function toolMaker(tools: Workspace["tools"], { kind, tool, arguments: args }: ToolRecipe): Maker {
  let listed: Promise<readonly WorkspaceTool[]> | undefined;
  const find = async (name: string, options: CallOptions): Promise<WorkspaceTool | undefined> => {
    listed ??= tools.list(options);
    try {
      return (await listed).find((one) => one.name === name);
    } catch (thrown) {
      listed = undefined;
      throw thrown;
    }
  };
  return {
    async create(files, options) {
      const own = await find(tool, options);
      const field = own && argumentFor(own, "file");
      const given = Object.entries(files).map(([name, id]) => [
        name,
        field?.name === name && typeof id === "number" ? idAs(field, id) : id,
      ]);
      try {
        return readToolJob(await tools.call(tool, { ...args, ...Object.fromEntries(given) }, options));
      } catch (thrown) {
        if (!(thrown instanceof WorkspaceFault && thrown.message === toolNotFound(tool))) throw thrown;
        // What the key may not call is answered as if there were no such tool.
        const details = { status: thrown.status, correlationId: thrown.correlationId, cause: thrown };
        throw new WorkspaceFault("forbidden", missingPermissions([toolNames[kind].permission]), details);
      }
    },
    list: null,
    source: {
      list: null,
      async read(id, options) {
        const { status } = toolNames[kind];
        const own = await find(status, options);
        const field = (own && argumentFor(own, "job")) ?? usualId;
        const job = readToolJob(await tools.call(status, { [field.name]: idAs(field, id) }, options), id);
        if (job.ID !== id) throw new WorkspaceFault("malformed", "expected the job that was asked for", { status: 200 });
        return job;
      },
    },
    retry: null,
  };
}
