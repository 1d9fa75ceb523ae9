/** What people can ask the offline model for to see the product at work: Markdown, a long answer, a failure. */

import { samplePicture } from "./sample-picture.ts";

export type Demonstration =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "file"; readonly text: string; readonly name: string; readonly bytes: () => Uint8Array }
  | { readonly kind: "failure"; readonly text: string; readonly once: boolean };

const markdownSample = `## Markdown, demonstrated

This is a fixed sample that the offline model keeps for trying out how answers look. It has **bold**, *italic*, ~~struck~~ and \`inline code\`, and a [link](https://commonmark.org/).

### A list

1. Mention Parley in a channel.
2. Watch the answer grow:
   - the message is edited in place,
   - the thread is the conversation.
3. Ask on in the thread.

- [x] a task that is done
- [ ] a task that is not

### A table

| Platform | Address it with | Thread is the conversation |
|:---------|:---------------:|---------------------------:|
| Slack    | \`@parley\`       | yes |
| Discord  | \`/ask\`          | yes |
| Console  | either          | yes |

### Code

\`\`\`ts
/** The words of a text. */
export function words(text: string): string[] {
  return text.split(/\\s+/).filter((word) => word !== "");
}
\`\`\`

### A quote

> Simplicity is prerequisite for reliability.
>
> — Edsger W. Dijkstra

---

End of the demonstration.
`;

const sentences = [
  "A long answer arrives in pieces, and each piece is shown as soon as there is room for it.",
  "What stood in the message before stays where it was, and the new words follow behind it.",
  "A platform limits how long one message may be, so a long answer goes on in a further one.",
  "No word is lost at the seam between two messages, and no word is shown twice.",
  "While the answer grows, the thread stays readable, and other threads go on beside it.",
  "Whoever does not want to wait for the end can stop the answer at any time.",
  "The reader should be able to follow at an easy pace, as with somebody who types quickly.",
  "This paragraph says nothing of importance, which makes it easy to look at its form alone.",
];

const shortest = 50;
/** About twice what the largest platform message holds ten times over. */
const longest = 20_000;

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

/** Paragraphs under headings, of at least `count` words and at most one sentence more; the same for the same count. */
function longText(count: number): string {
  const wanted = Math.min(longest, Math.max(shortest, count));
  const opening = `# A long answer, demonstrated\n\nThe offline model was asked for about ${wanted} words and writes them from a fixed set of sentences.`;
  const blocks = [opening];
  let words = wordsIn(opening);
  for (let turn = 0; words < wanted; turn++) {
    const sentence = sentences[turn % sentences.length] ?? "";
    words += wordsIn(sentence);
    if (turn % 24 === 0) {
      const heading = `## Section ${turn / 24 + 1}`;
      words += wordsIn(heading);
      blocks.push(heading);
    }
    if (turn % 6 === 0) blocks.push(sentence);
    else blocks.push(`${blocks.pop() ?? ""} ${sentence}`);
  }
  return `${blocks.join("\n\n")}\n`;
}

const table = "month,ships,cargo\nJune,14,grain\nJuly,19,timber\nAugust,11,wool\n";

const pictureWords =
  "This picture is a fixed sample that the offline model keeps for trying out how pictures of an answer look. It draws nothing of its own.\n";
const fileWords = "This table is a fixed sample that the offline model keeps for trying out how files of an answer arrive.\n";

const failing =
  "This is a demonstration of a failure. The answer begins as usual, some words are shown, and then the model provider breaks off in the middle of ";

/**
 * The demonstration that `question` asks for; undefined for any other question. Known are:
 * `show me markdown`; `write 3000 words` (any number from 50 to 20,000) and `long` (1,500 words);
 * `draw a picture` and `make a file`, which come with a fixed one;
 * `fail`, which breaks off every time, and `fail once`, which does not when it is tried again.
 */
export function demonstrationFor(question: string): Demonstration | undefined {
  // Behind an address such as `@parley`, and with or without a "please".
  const asked = question
    .toLowerCase()
    .replace(/^(?:@\S+\s+)+/, "")
    .replace(/\bplease\b|[.!?,"'`*]/g, "")
    .trim()
    .replace(/\s+/g, " ");
  if (/^show (?:me )?(?:some )?markdown$/.test(asked)) return { kind: "answer", text: markdownSample };
  const count = /^write (?:me )?(?:about )?(\d{1,6}) words\b/.exec(asked)?.[1];
  if (count !== undefined) return { kind: "answer", text: longText(Number(count)) };
  if (/^(?:write )?(?:a )?long(?: answer)?$/.test(asked)) return { kind: "answer", text: longText(1500) };
  if (/^(?:draw|paint|make) (?:me )?(?:a )?picture$/.test(asked))
    return { kind: "file", text: pictureWords, name: "demonstration.png", bytes: samplePicture };
  if (/^(?:make|write) (?:me )?a file$/.test(asked))
    return { kind: "file", text: fileWords, name: "demonstration.csv", bytes: () => new TextEncoder().encode(table) };
  if (asked === "fail") return { kind: "failure", text: failing, once: false };
  if (asked === "fail once") return { kind: "failure", text: failing, once: true };
  return undefined;
}
