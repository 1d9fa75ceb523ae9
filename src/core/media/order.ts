/** What somebody wants made, checked and ready to be begun; plain data. */
import { jobPaths } from "../../contract/media.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { InboundFile } from "../inbound.ts";

/** A file that goes in: one of the workspace, or one of the chat that is still to be uploaded. */
export type Source = { readonly file: number } | { readonly upload: InboundFile };

/** Sources by the name of the field that takes their ids. */
export type Sources = Readonly<Record<string, Source | readonly Source[]>>;

/** A background job that has paths of its own. */
export interface RestRecipe {
  readonly by: "job";
  readonly kind: "video" | "music";
  /** Of the create call, without its files. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The failed job that is begun anew in the place of another one. */
  readonly again?: number;
}

/** A background job that a tool begins. */
export interface ToolRecipe {
  readonly by: "job";
  readonly kind: "speech" | "transcription";
  readonly tool: string;
  /** Of the call, without its files. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type JobRecipe = RestRecipe | ToolRecipe;

/** How it is asked for at the workspace: a picture's call waits for the whole work. `edit` has the source `file_id`. */
export type Recipe = { readonly by: "image" } | { readonly by: "edit" } | JobRecipe;

export interface MediaOrder {
  readonly recipe: Recipe;
  /** `a picture`, `a film`: for sentences. */
  readonly what: string;
  /** What it is to show or say; for a transcription, the name of what is written down. */
  readonly prompt: string;
  /** The model's name, where one is chosen. */
  readonly model: string | null;
  /** `16:9`, `5 s`: for the quiet last line. */
  readonly details: readonly string[];
  /** Credits that it is known to cost; null where nobody says. */
  readonly price: string | null;
  readonly sources: Sources;
}

/** What the key needs to begin it. */
export const permissionFor = (recipe: Recipe): Permission =>
  recipe.by === "job" ? `${jobPaths[recipe.kind]}_manage` : "image_generation_manage";
