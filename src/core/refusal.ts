/** Expected "no"s, as values: what the asker is told, and a code for metrics and logs. */

export type RefusalCode =
  | "not_allowed"
  | "operators_only"
  | "link_needed"
  | "others_conversation"
  | "unknown_command"
  | "bad_option"
  | "nothing_to_stop"
  | "nothing_to_retry"
  | "not_found"
  | "too_large"
  | "quota"
  | "limit"
  | "busy"
  | "blocked"
  | "workspace";

export interface Refusal {
  readonly code: RefusalCode;
  /** Plain words: what is not possible, and what to do instead. */
  readonly text: string;
}

export const refusal = (code: RefusalCode, text: string): { readonly refusal: Refusal } => ({ refusal: { code, text } });
