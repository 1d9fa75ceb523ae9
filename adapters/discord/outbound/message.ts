/** A document as one Discord message. */
import type { Document, Footnote } from "../../../src/core/document.ts";
import { written } from "./blocks.ts";
import { rowsOf, type ActionRow } from "./buttons.ts";
import { literal, oneLine, plainLines } from "./literal.ts";
import { link } from "./phrasing.ts";

/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const suppressEmbeds = 1 << 2;
const ephemeral = 1 << 6;

export interface DiscordMessage {
  readonly content: string;
  readonly components: readonly ActionRow[];
  readonly flags: number;
  /** Without it Discord reads mentions anew on every edit, and pings them. */
  readonly allowed_mentions: { readonly parse: readonly [] };
}

const allowedMentions = { parse: [] } as const;
/** On every message and every edit: nobody is pinged, and no address is fetched for a preview. */
export const quietly = { flags: suppressEmbeds, allowed_mentions: allowedMentions } as const;
/** The same, for one person's eyes. */
export const privately = { flags: suppressEmbeds | ephemeral, allowed_mentions: allowedMentions } as const;

/** Before what is not as it should be. At most three characters, which `cost` counts on. */
const noticeMark = { failed: "⚠️ ", stopped: "⏹️ " } as const;

const small = (text: string): string => (text === "" ? "" : `-# ${text}`);

function footnoteLine({ index, title, url, detail }: Footnote): string {
  const source = url === null ? literal(title) : link(url, title);
  return small(`${literal(`[${index}] `)}${source}${literal(detail === "" ? "" : ` (${detail})`)}`.replace(/\s*\n\s*/g, " "));
}

function noticeOf({ notice, state }: Document): string {
  const text = plainLines(literal(notice ?? "")).trim();
  return text === "" ? "" : (state === "failed" || state === "stopped" ? noticeMark[state] : "") + text;
}

/** Discord takes no message without content. */
const nothing = "…";

/** The text of a document: the answer's blocks with blank lines between, then a line for each of the rest. */
function contentOf(document: Document): string {
  const blocks = document.blocks.map(written).filter((text) => text !== "");
  const around = [
    noticeOf(document),
    ...document.footnotes.map(footnoteLine),
    small(oneLine(document.status ?? "")),
    small(oneLine(document.footer ?? "")),
  ].filter((text) => text !== "");
  const content = [blocks.join("\n\n"), ...around].filter((text) => text !== "").join("\n");
  return content.trim() === "" ? nothing : content;
}

/** @param mark what the message's buttons are marked with: `markOf` its key */
export const messageOf = (document: Document, mark: string): DiscordMessage => ({
  content: contentOf(document),
  components: rowsOf(document.actions, mark),
  ...quietly,
});
