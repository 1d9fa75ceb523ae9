/** The part of Block Kit that Parley writes. Its text objects are either literal by nature or plain text without emoji codes. */

export interface TextStyle {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}

export interface RichText {
  readonly type: "text";
  readonly text: string;
  readonly style?: TextStyle;
}

export interface RichLink {
  readonly type: "link";
  readonly url: string;
  readonly text: string;
  readonly style?: TextStyle;
}

export type RichInline = RichText | RichLink;

export interface RichSection {
  readonly type: "rich_text_section";
  readonly elements: readonly RichInline[];
}

export interface RichQuote {
  readonly type: "rich_text_quote";
  readonly elements: readonly RichInline[];
}

export interface RichPreformatted {
  readonly type: "rich_text_preformatted";
  readonly elements: readonly RichText[];
  /** 1: inside a quotation. */
  readonly border?: 1;
}

export interface RichList {
  readonly type: "rich_text_list";
  readonly style: "bullet" | "ordered";
  readonly indent: number;
  /** How many numbers come before the first item's. */
  readonly offset?: number;
  readonly border?: 1;
  readonly elements: readonly RichSection[];
}

export type RichElement = RichSection | RichQuote | RichPreformatted | RichList;

export interface RichTextBlock {
  readonly type: "rich_text";
  readonly block_id?: string;
  readonly elements: readonly RichElement[];
}

export interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
  readonly emoji: false;
}

export interface TableBlock {
  readonly type: "table";
  readonly rows: readonly (readonly RichTextBlock[])[];
  readonly column_settings: readonly { readonly align: "left" | "center" | "right"; readonly is_wrapped: true }[];
}

export interface Button {
  readonly type: "button";
  readonly action_id: string;
  readonly text: PlainText;
  readonly value: string;
}

export interface FeedbackButtons {
  readonly type: "feedback_buttons";
  readonly action_id: string;
  readonly positive_button: { readonly text: PlainText; readonly value: string };
  readonly negative_button: { readonly text: PlainText; readonly value: string };
}

export type SlackBlock =
  | RichTextBlock
  | TableBlock
  | { readonly type: "header"; readonly text: PlainText }
  | { readonly type: "divider" }
  | { readonly type: "context"; readonly elements: readonly PlainText[] }
  | { readonly type: "actions"; readonly elements: readonly Button[] }
  | { readonly type: "context_actions"; readonly elements: readonly FeedbackButtons[] };

export const plain = (text: string): PlainText => ({ type: "plain_text", text, emoji: false });
export const section = (elements: readonly RichInline[]): RichSection => ({ type: "rich_text_section", elements });
export const richText = (elements: readonly RichElement[]): RichTextBlock => ({ type: "rich_text", elements });
