/** What an answer must have to be of use: a record with its ID, a list, a page of one, the ID of a conversation. */
import { isObject, type Read } from "./fields.ts";
import { malformed } from "./faults.ts";
import type { Answer } from "./http.ts";

/** One page of a list; `total` counts all pages where the workspace says so. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

export interface Paging {
  /** From 1. */
  readonly page?: number;
  /** Items a page; 10 where it is left out. */
  readonly size?: number;
}

const fault = (answer: Answer, what: string) => malformed(`expected ${what}`, answer.status, answer.correlationId);

const hasId = (value: unknown): boolean => isObject(value) && Number.isSafeInteger(value["ID"]);

/** What tells a record from anything else, and what it is called where it is missing. */
interface Marked {
  readonly marks: (value: unknown) => boolean;
  readonly what: string;
}

/** The record that the answer is. */
export function recordIn<T>(
  answer: Answer,
  read: Read<T>,
  { marks, what }: Marked = { marks: hasId, what: "a record with an ID" },
): T {
  if (!marks(answer.body)) throw fault(answer, what);
  return read(answer.body);
}

/**
 * The records that the answer lists: a bare array, or an array in an envelope. No body, or null, is an empty list.
 * @param marks what tells these records from those of another list in the same envelope
 * @param valid what every one of them must be
 */
export function recordsIn<T>(
  answer: Answer,
  read: Read<T>,
  marks: (row: unknown) => boolean = hasId,
  valid: (row: unknown) => boolean = hasId,
): T[] {
  const { body } = answer;
  const rows = isObject(body) ? listIn(body, marks) : (body ?? []);
  if (!Array.isArray(rows) || !rows.every(valid)) throw fault(answer, "a list of records with IDs");
  return rows.map(read);
}

function listIn(envelope: Record<string, unknown>, marks: (row: unknown) => boolean): unknown[] | undefined {
  const lists = Object.values(envelope).filter((value): value is unknown[] => Array.isArray(value));
  return lists.find((rows) => rows.length > 0 && rows.every(marks)) ?? lists.find((rows) => rows.length === 0);
}

const countIn = (answer: Answer, header: string): number | undefined => {
  const value = answer.header(header);
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
};

export const pageIn = <T>(
  answer: Answer,
  read: Read<T>,
  marks?: (row: unknown) => boolean,
  valid?: (row: unknown) => boolean,
): Page<T> => ({
  items: recordsIn(answer, read, marks, valid),
  total: countIn(answer, "x-total-count"),
});

// A list beyond this is not one that a person can choose from.
const mostPages = 500;
/** Items asked for at once when all pages are wanted. */
const fullPage = 100;

/**
 * All pages. A short page is not the last one, as some lists filter after paging: it ends where the total is covered or,
 * without a total, with a page that brings nothing new. Records that shift between pages come once.
 */
export async function allPages<T extends { readonly ID: number }>(
  ask: (paging: { page: number; size: number }) => Promise<Answer>,
  read: Read<T>,
): Promise<T[]> {
  const found = new Map<number, T>();
  for (let page = 1; ; page++) {
    const answer = await ask({ page, size: fullPage });
    const { items, total } = pageIn(answer, read);
    const before = found.size;
    for (const item of items) found.set(item.ID, item);
    // A workspace may give smaller pages than it was asked for.
    const size = countIn(answer, "x-page-size") ?? fullPage;
    if (total === undefined ? found.size === before : page * Math.max(1, size) >= total) return [...found.values()];
    if (page === mostPages) throw fault(answer, `at most ${mostPages} pages`);
  }
}

const positive = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) > 0 ? (number as number) : undefined;
};

/**
 * The conversation's ID in the answer of a streamed start, of which the interface says only that the ID is there.
 * A plain ID counts only where it cannot be a message's.
 */
export function conversationIdIn(answer: Answer): number {
  const found = isObject(answer.body) ? idIn(answer.body) : undefined;
  if (found === undefined) throw fault(answer, "the conversation's ID");
  return found;
}

function idIn(body: Record<string, unknown>): number | undefined {
  const named = positive(body["conversation_context_id"]) ?? positive(body["conversation_id"]);
  if (named !== undefined) return named;
  for (const nested of Object.values(body).filter(isObject)) {
    const inside = positive(nested["conversation_context_id"]) ?? positive(nested["conversation_id"]);
    if (inside !== undefined) return inside;
  }
  for (const name of ["conversation", "conversation_context"]) {
    const nested = body[name];
    const inside = isObject(nested) ? (positive(nested["ID"]) ?? positive(nested["id"])) : positive(nested);
    if (inside !== undefined) return inside;
  }
  return "isUser" in body ? undefined : (positive(body["ID"]) ?? positive(body["id"]));
}
