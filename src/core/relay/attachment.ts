/** The files that a reply ends with: the whole of it where it is too long for messages, and those of its own. */
import type { OutboundFile } from "../platform.ts";
import type { ReplyState } from "./reply.ts";

const mediaType = "text/markdown";

/** @param fileBytes the most that one file may have; a longer text becomes several */
function attachmentOf(text: string, fileBytes: number): readonly OutboundFile[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= fileBytes) return [{ name: "answer.md", mediaType, bytes }];
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(bytes.length, from + fileBytes);
    // Continuation bytes are 10xxxxxx: a character is never cut in two.
    while (to < bytes.length && to > from + 1 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to--;
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  return parts.map((part, index) => ({ name: `answer-${index + 1}.md`, mediaType, bytes: part }));
}

/** @param truncated the reply's text did not fit its messages */
export const filesOf = ({ text, files }: ReplyState, truncated: boolean, fileBytes: number): readonly OutboundFile[] => [
  ...(truncated ? attachmentOf(text, fileBytes) : []),
  ...(files?.list ?? []),
];
