/** Posts that Parley made too late, and says in its log what became of. */

const settled = "a post that was made after its turn was lost has been settled";
const unsettled = "a late post could not be settled; it may be left over";

/** How many it has taken away, or may have: those of which it found no message, or which stay, are none of them. */
export function lateRemovals(log: string): number {
  let count = 0;
  for (const line of log.split("\n")) {
    if (!line.startsWith("{")) continue;
    const { msg, end } = JSON.parse(line) as { msg?: string; end?: string };
    if ((msg === settled && end === "removed") || msg === unsettled) count++;
  }
  return count;
}
