/** What a run's variables stand for: what was given, or else their defaults. */
import { extensionOf } from "../../contract/file-types.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import type { VariableValue } from "../../contract/prompt-records.ts";
import type { AttachmentRef } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import { ownFile } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { PromptVariableRow } from "./schema.ts";

/** Values by the ID of their variable; a missing one is empty. */
export type Given = ReadonlyMap<number, string>;

export interface Resolved {
  /** What was given, to run it again: an empty one goes on standing for its default. */
  readonly values: VariableValue[];
  /** By slug: what takes the place of the placeholders. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files of file variables. */
  readonly attachments: AttachmentRef[];
}

/** The variable in which a replay puts its text: the one marked so, or else the first. */
export const primaryOf = (variables: readonly PromptVariableRow[]): PromptVariableRow | undefined =>
  variables.find(({ is_primary }) => is_primary === 1) ?? variables[0];

/** The file that a file variable names by its ID. It has to be the runner's own, and so has a default one, which others run without. */
async function fileFor(
  ctx: Pick<ServiceContext, "db">,
  userId: number,
  variable: PromptVariableRow,
  value: string,
): Promise<FileRow | undefined> {
  if (value === "") {
    return variable.default_file_id === null ? undefined : ownFile(ctx, userId, variable.default_file_id);
  }
  const file = isNumericId(value) ? await ownFile(ctx, userId, Number(value)) : undefined;
  if (file === undefined) {
    throw new HttpError(400, `variable_values: expected the ID of one of your files for "${variable.slug}", got ${value}`);
  }
  const accepted = (JSON.parse(variable.file_types) as string[]).map((type) => type.toLowerCase().replace(/^\./, ""));
  if (accepted.length > 0 && !accepted.includes(extensionOf(file.name).toLowerCase())) {
    throw new HttpError(
      400,
      `variable_values: expected a file of ${accepted.join(", ")} for "${variable.slug}", got ${file.name}`,
    );
  }
  return file;
}

/** Throws HttpError 400 for a value of no variable of the prompt, a required one that has neither value nor default, or a wrong file. */
export async function resolveValues(
  ctx: Pick<ServiceContext, "db">,
  userId: number,
  variables: readonly PromptVariableRow[],
  given: Given,
): Promise<Resolved> {
  const unknown = [...given.keys()].find((id) => !variables.some((variable) => variable.id === id));
  if (unknown !== undefined) throw new HttpError(400, `variable_values: the prompt has no variable with the ID ${unknown}`);
  const values: VariableValue[] = [];
  const texts = new Map<string, string>();
  const attachments: AttachmentRef[] = [];
  for (const variable of variables) {
    const { id, slug } = variable;
    const value = given.get(id) ?? "";
    values.push({ variable_id: id, slug, value });
    const file = variable.data_type === "file" ? await fileFor(ctx, userId, variable, value.trim()) : undefined;
    if (file !== undefined) attachments.push({ id: file.id, type: "file" });
    const plain = value.trim() === "" ? variable.default_value : value;
    const text = variable.data_type === "file" ? (file?.name ?? variable.default_value) : plain;
    if (variable.required === 1 && text.trim() === "") {
      throw new HttpError(400, `variable_values: expected a value for "${variable.name}", got none`);
    }
    texts.set(slug, text);
  }
  return { values, texts, attachments };
}
