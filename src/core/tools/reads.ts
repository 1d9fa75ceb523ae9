/** Which tools of the workspace change nothing. */

/** By their names, as the interface's tools are named: whatever else there is may change something. */
export const onlyReads = (tool: string): boolean => /^(list_|get_|search(_|$)|describe_|browse_)/.test(tool);
