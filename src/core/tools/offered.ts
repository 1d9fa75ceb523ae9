/** What a key may do, as the workspace's list of tools tells: each tool goes with a permission. */
import type { ServedTool } from "../../contract/tools.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { WorkspaceLists } from "../directory.ts";

/**
 * False where the account's key may certainly not do what this tool does.
 * A workspace that does not tell, or lists nothing at all, is taken to allow it: the deed itself is answered then.
 */
export async function mayUse(
  lists: Pick<WorkspaceLists, "tools">,
  tool: ServedTool,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const listed = await lists.tools(options);
    return listed.length === 0 || listed.some(({ name }) => name === tool);
  } catch (thrown) {
    if (thrown instanceof WorkspaceFault) return true;
    throw thrown;
  }
}
