/** What a tool of the tool server is: words and arguments for whoever calls it, and the resource's own functions behind it. */
import { z } from "zod";
import type { ServedTool } from "../../contract/tools.ts";
import { checked } from "../body.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { defaultSize, largestPage, type Span } from "../responses.ts";

/** One call of a tool by a key that may call it. */
export interface ToolCall {
  readonly ctx: ServiceContext;
  readonly caller: Caller;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface ServiceTool {
  /** For people and models that choose a tool: what it does, and what it gives. */
  readonly description: string;
  /** JSON Schema of the arguments, made when it is first asked for. */
  readonly inputSchema: () => Record<string, unknown>;
  /** Throws HttpError 400 for arguments that the schema does not take, and whatever the tool's own rules throw. */
  readonly run: (call: ToolCall, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A resource's tools by name; `service.ts` joins them. */
export type Tools = { readonly [K in ServedTool]?: ServiceTool };

/** Bounds that only say how large a number JavaScript can hold would be noise in a form. */
function dropSafeBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** A tool whose arguments are checked by `input`; a null counts as left out. What `run` gives is answered as JSON. */
export function tool<T extends z.ZodObject>(definition: {
  readonly description: string;
  readonly input: T;
  readonly run: (call: ToolCall, args: z.output<T>) => Promise<unknown>;
}): ServiceTool {
  const { description, input, run } = definition;
  let schema: Record<string, unknown> | undefined;
  return {
    description,
    inputSchema: () =>
      (schema ??= z.toJSONSchema(input, { io: "input", override: ({ jsonSchema }) => dropSafeBounds(jsonSchema) })),
    run: (call, args) => {
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
      return run(call, checked(given, input, "the arguments"));
    },
  };
}

/** An ID or a slug; digits are always an ID. */
export const identifier = (what: string) =>
  z
    .union([z.int().nonnegative(), z.string().trim().min(1)])
    .transform(String)
    .describe(`ID or slug of the ${what}`);

/** The two arguments of every tool that lists. */
export const paging = {
  limit: z.int().min(1).max(largestPage).default(defaultSize).describe("How many to give"),
  offset: z.int().min(0).default(0).describe("How many to leave out before them"),
};

export const spanOf = ({ limit, offset }: { readonly limit: number; readonly offset: number }): Span => ({ size: limit, offset });

/** What a tool that lists answers; `total` counts what there is without `limit` and `offset`. */
export const listed = (items: readonly unknown[], total: number) => ({ items, total_count: total });
