/** The few forms of an answer: JSON, nothing, and a page of a list. */

/** Some rows of a list: `size` of them at most, after `offset` others. */
export interface Span {
  readonly size: number;
  readonly offset: number;
}

/** The page of a list that a request asks for; `page` and `size` count from 1. */
export interface PageRequest extends Span {
  readonly page: number;
  /** True when the request named at least one of the two: some lists give everything otherwise. */
  readonly asked: boolean;
}

/** Rows of one page at most, so that one request cannot read a whole database into memory. `X-Page-Size` says what was used. */
export const largestPage = 100;
export const defaultSize = 10;

const positive = (value: string | null, fallback: number): number => {
  const number = value !== null && /^\d{1,9}$/.test(value) ? Number(value) : 0;
  return number > 0 ? number : fallback;
};

/** Reads `page` and `size`. A value that is not a whole number from 1 counts as absent, as the interface names no error for it. */
export const pageOf = (query: URLSearchParams): PageRequest => {
  const page = positive(query.get("page"), 1);
  const size = Math.min(positive(query.get("size"), defaultSize), largestPage);
  return { page, size, offset: (page - 1) * size, asked: query.has("page") || query.has("size") };
};

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

export const noContent = (): Response => new Response(null, { status: 204 });

/** A bare array with the paging headers. `total` counts the rows of all pages. */
export const listPage = (
  items: readonly unknown[],
  { page, size }: Pick<PageRequest, "page" | "size">,
  total: number,
): Response => json(200, items, { "X-Page": String(page), "X-Page-Size": String(size), "X-Total-Count": String(total) });
