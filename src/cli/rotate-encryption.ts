/** `parley keys rotate-encryption`: everything that is stored is sealed with the new key, so that the former may go. */
import { existsSync } from "node:fs";
import { dataFiles, type Config } from "../config.ts";
import { holdDataFolder, makeDataFolder, newEncryptionKey, readSecrets, writeSecrets, type Secrets } from "../data-folder.ts";
import { cipherOf, openCipher } from "../encryption.ts";
import { Fault } from "../errors.ts";
import { openStore } from "../open-store.ts";
import type { Cipher } from "../store/cipher.ts";
import { resealAll } from "../store/reseal.ts";
import type { Output } from "./output.ts";

export const rotateUsage =
  "keys rotate-encryption                                        seal what is stored with a new key; the server is stopped";

/**
 * With a generated key a new one is made, and the former is dropped at the end; killed in between, both are kept and the next call goes on.
 * With configured keys, PARLEY_ENCRYPTION_KEY is the new one and PARLEY_ENCRYPTION_KEYS_OLD the former.
 */
export async function rotateEncryption(config: Config, output: Output): Promise<void> {
  const configured = config.encryptionKey !== null;
  if (configured && config.formerKeys.length === 0) {
    throw new Fault(
      "usage",
      "expected the new key in PARLEY_ENCRYPTION_KEY and the former one in PARLEY_ENCRYPTION_KEYS_OLD, got no former key",
    );
  }
  const { store, secrets } = dataFiles(config.dataDir);
  if (config.databaseUrl === null && !existsSync(store)) throw new Fault("no_store", `there is no store yet at ${store}`);
  if (!configured && !existsSync(secrets)) throw new Fault("no_secrets", `there is no generated key at ${secrets}`);
  makeDataFolder(config.dataDir);
  // Replicas over PostgreSQL are to have both keys already; one server on a data folder is to be stopped.
  const letGo = config.databaseUrl === null ? holdDataFolder(config.dataDir) : () => {};
  try {
    if (configured) {
      await reseal(config, openCipher(config), output);
      output.line("PARLEY_ENCRYPTION_KEYS_OLD may be taken away now, from every server and every backup's notes.");
    } else {
      const begun = begin(config.dataDir);
      await reseal(config, cipherOf(begun), output);
      const { formerEncryptionKeys: _former, ...left } = begun;
      writeSecrets(config.dataDir, left);
      output.line(`The former key is gone from ${secrets}. Backups from before need it: keep theirs with them.`);
    }
  } finally {
    letGo();
  }
}

/** The secrets with a new key, and the former beside it; those of a rotation that was not finished as they are. */
function begin(dataDir: string): Secrets {
  const found = readSecrets(dataDir);
  if ((found.formerEncryptionKeys ?? []).length > 0) return found;
  const begun: Secrets = { ...found, encryptionKey: newEncryptionKey(), formerEncryptionKeys: [found.encryptionKey] };
  writeSecrets(dataDir, begun);
  return begun;
}

async function reseal(config: Config, cipher: Cipher, output: Output): Promise<void> {
  const { patient, close } = await openStore(config);
  try {
    const { changed, unchanged, unreadable } = await resealAll(patient, cipher);
    output.line(`Sealed anew: ${changed}. Sealed with key ${cipher.keyId} before: ${unchanged}.`);
    if (unreadable > 0)
      throw new Fault(
        "unreadable",
        `${unreadable} of the rows open with none of the keys, and were left as they are. No key was dropped.`,
      );
  } finally {
    await close();
  }
}
