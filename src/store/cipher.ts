/** Text at rest: AES-256-GCM, bound to the row that it belongs to, with the key's id in front so that keys can be changed. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { Fault } from "../errors.ts";

export interface Cipher {
  /** Of the key that seals. */
  readonly keyId: string;
  /** @param owner what the text belongs to; the same value opens it again, another does not */
  seal(text: string, owner: string): string;
  /** Throws a Fault `cipher_failed` when the key is another one or the text was changed. */
  open(sealed: string, owner: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

const idOf = (key: Uint8Array): string => createHash("sha256").update(key).digest("hex").slice(0, 8);

/**
 * @param key 32 bytes, seals and opens
 * @param former keys that only open
 */
export function createCipher(key: Uint8Array, former: readonly Uint8Array[] = []): Cipher {
  const wrong = [key, ...former].find((one) => one.length !== 32);
  if (wrong !== undefined) throw new Fault("cipher_key", `expected an encryption key of 32 bytes, got ${wrong.length}`);
  const keyId = idOf(key);
  const keys = new Map([...former, key].map((one) => [idOf(one), one]));
  return {
    keyId,
    seal(text, owner) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `1.${keyId}.${sealed.toString("base64")}`;
    },
    open(sealed, owner) {
      const [version, id = "", data] = sealed.split(".");
      if (version !== "1" || data === undefined) throw new Fault("cipher_failed", "expected sealed text of version 1");
      const opener = keys.get(id);
      if (opener === undefined) {
        throw new Fault(
          "cipher_failed",
          `text was sealed with key ${id}, but PARLEY_ENCRYPTION_KEY is key ${keyId}: set the former key again, or add it to PARLEY_ENCRYPTION_KEYS_OLD`,
        );
      }
      const bytes = Buffer.from(data, "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", opener, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(owner));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(ivBytes, -tagBytes)).toString("utf8") + decipher.final("utf8");
      } catch (cause) {
        throw new Fault("cipher_failed", "sealed text does not open: it was changed, or belongs to another row", { cause });
      }
    },
  };
}
