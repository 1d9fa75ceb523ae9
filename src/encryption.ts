/** The cipher of text at rest, with the configured keys or the generated ones. */
import type { Config } from "./config.ts";
import { readSecrets, type Secrets } from "./data-folder.ts";
import { createCipher, type Cipher } from "./store/cipher.ts";

const bytes = (key: string): Uint8Array => Buffer.from(key, "base64");

export const cipherOf = ({ encryptionKey, formerEncryptionKeys = [] }: Secrets): Cipher =>
  createCipher(bytes(encryptionKey), formerEncryptionKeys.map(bytes));

export const openCipher = ({ encryptionKey, formerKeys, dataDir }: Config): Cipher =>
  encryptionKey === null ? cipherOf(readSecrets(dataDir)) : createCipher(encryptionKey, formerKeys);
