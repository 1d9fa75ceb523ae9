/** The header by which a request names a project. */
import { isNumericId } from "../../contract/identifiers.ts";

/** The header `X-Project-ID`; a value that is not a whole number counts as absent. */
export function projectInHeader(request: Request): number | null {
  const value = request.headers.get("x-project-id")?.trim() ?? "";
  return isNumericId(value) ? Number(value) : null;
}
