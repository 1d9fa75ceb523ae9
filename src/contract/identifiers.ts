/** How `:id` is read, and how names that leave the service are made. */

/** A purely numeric value is always an ID, anything else a slug. */
export const isNumericId = (value: string): boolean => /^\d+$/.test(value);

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/**
 * A random name of `length` letters and digits that is never all digits, as that would be read as an ID.
 * @param random fills the bytes it is given; cryptographic in production
 */
export function randomSlug(length: number, random: (bytes: Uint8Array) => Uint8Array): string {
  for (;;) {
    const bytes = random(new Uint8Array(length * 2));
    // 252 is the largest multiple of 36 below 256: larger bytes would make the first letters likelier.
    const slug = Array.from(
      bytes.filter((byte) => byte < 252),
      (byte) => letters[byte % 36],
    )
      .slice(0, length)
      .join("");
    if (slug.length === length && !isNumericId(slug)) return slug;
  }
}

/** An API key within a text: a name of the workspace, `-API-` and 64 letters or digits. */
export const apiKeyForm = /[A-Za-z0-9]{1,32}-API-[A-Za-z0-9]{64}/g;
