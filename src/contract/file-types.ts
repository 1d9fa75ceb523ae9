/** The kind of a file by its extension; the match is case-sensitive, so `PHOTO.PNG` is `code_interpreter`. */
import type { FileType } from "./records.ts";

const image = "png jpg jpeg gif webp bmp tiff tif ico heic heif jfif avif svg";
const fileSearch =
  "c cc cpp h hpp cs css scss less doc docx go html java js jsx ts tsx vue json md pdf php pptx py rb sh bat ps1 tex txt xml yaml yml toml ini log rtf odt rst sql kt swift rs r m lua pl";
const spreadsheet = "xlsx xlsm xlam xltm xltx xls csv tsv ods ots numbers";

const byExtension = new Map<string, FileType>([
  ...image.split(" ").map((extension) => [extension, "image"] as const),
  ...fileSearch.split(" ").map((extension) => [extension, "file_search"] as const),
  ...spreadsheet.split(" ").map((extension) => [extension, "spreadsheet"] as const),
]);

/** What follows the last dot of `name`, as written; empty without one. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1] ?? "";

/** The `fileType` of an uploaded file named `name`. */
export const fileTypeOf = (name: string): FileType => byExtension.get(extensionOf(name)) ?? "code_interpreter";

/** `name` with its extension in lower case, so that the case-sensitive match sees what the file is. */
export const withLowerCaseExtension = (name: string): string =>
  name.replace(/\.[^./\\]+$/, (extension) => extension.toLowerCase());
