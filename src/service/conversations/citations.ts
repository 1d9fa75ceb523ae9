/** Citation markers as a reader sees them. */
import type { Citation } from "../../contract/records.ts";

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** `text` with each `[n]` whose citation has a web address made a link to it; markers of files stay as they are. */
export function withCitationLinks(text: string, citations: readonly Citation[]): string {
  const addresses = new Map(
    citations.filter(({ url }) => isWebAddress(url)).map(({ citation_index, url }) => [String(citation_index), url]),
  );
  if (addresses.size === 0) return text;
  // Not before "(" or ":", where the brackets are a link already.
  return text.replace(/\[(\d{1,4})\](?![(:[])/g, (marker, index: string) => {
    const address = addresses.get(index);
    return address === undefined ? marker : `[\\[${index}\\]](<${address.replaceAll(/[<>]/g, encodeURIComponent)}>)`;
  });
}
