/** The data folder: made when absent, held by one server at a time, home of generated secrets. */
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { dataFiles } from "./config.ts";
import { Fault, reasonOf } from "./errors.ts";

const unusable = (dataDir: string, cause: unknown): Fault =>
  new Fault("data_folder", `expected a data folder that can be written at ${dataDir} (PARLEY_DATA), got: ${reasonOf(cause)}`, {
    cause,
  });

/** Makes the folder, for its owner only. Throws a Fault `data_folder` when that cannot be done. */
export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

const sqliteBusy = 5;

/**
 * Holds the folder for this process until it ends, however it ends; the lock is SQLite's own on an empty file, so none is ever left behind.
 * Throws a Fault `data_folder_busy` when another server holds it, `data_folder` when the folder cannot be written.
 * @returns lets go
 */
export function holdDataFolder(dataDir: string): () => void {
  const { lock } = dataFiles(dataDir);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(lock, { timeout: 0 });
    connection.exec("begin exclusive");
    const held = connection;
    return () => held.close();
  } catch (cause) {
    connection?.close();
    if (!(cause instanceof Error && "errcode" in cause && cause.errcode === sqliteBusy)) throw unusable(dataDir, cause);
    throw new Fault(
      "data_folder_busy",
      `another Parley server is running on ${dataDir}. Stop it first, or set PARLEY_DATA to another folder.`,
      { cause },
    );
  }
}

export interface Secrets {
  /** Of the embedded workspace's owner. */
  readonly ownerKey: string;
  /** 32 bytes, base64: text at rest. */
  readonly encryptionKey: string;
  /** Keys before it, while not everything is sealed with it yet. */
  readonly formerEncryptionKeys?: readonly string[];
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const newKey = (): string => `PARLEY-API-${Array.from({ length: 64 }, () => letters[randomInt(letters.length)]).join("")}`;

export const newEncryptionKey = (): string => randomBytes(32).toString("base64");

/** Puts the secrets in the place of those before: whole, or not at all. */
export function writeSecrets(dataDir: string, secrets: Secrets): void {
  const { secrets: path } = dataFiles(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** The generated secrets, made at the first call and kept in a file that only its owner may read. */
export function readSecrets(dataDir: string): Secrets {
  const { secrets: path } = dataFiles(dataDir);
  if (!existsSync(path)) {
    writeSecrets(dataDir, { ownerKey: newKey(), encryptionKey: newEncryptionKey() });
  }
  try {
    const found = JSON.parse(readFileSync(path, "utf8")) as Partial<Secrets>;
    if (typeof found.ownerKey === "string" && typeof found.encryptionKey === "string")
      return { ...found, ownerKey: found.ownerKey, encryptionKey: found.encryptionKey };
    throw new Error("ownerKey or encryptionKey is missing");
  } catch (cause) {
    throw new Fault(
      "secrets_damaged",
      `expected generated secrets in ${path}, got: ${reasonOf(cause)}. Restore the file: without it stored text cannot be read.`,
      { cause },
    );
  }
}
