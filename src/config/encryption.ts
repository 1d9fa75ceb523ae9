/** The keys that text at rest is sealed with. */
import type { Reader, VariableInfo } from "./reader.ts";

export interface EncryptionConfig {
  /** 32 bytes; generated when null. */
  readonly encryptionKey: Uint8Array | null;
  /** Keys that were used before: what is sealed with them still opens. */
  readonly formerKeys: readonly Uint8Array[];
}

export const encryptionVariables: readonly VariableInfo[] = [
  { name: "PARLEY_ENCRYPTION_KEY", fallback: "generated", help: "32 bytes in base64: text at rest", secret: true },
  {
    name: "PARLEY_ENCRYPTION_KEYS_OLD",
    fallback: "none",
    help: "former keys, until npm run parley -- keys rotate-encryption has sealed everything anew",
    secret: true,
  },
];

export function readEncryption({ text, list, expect }: Reader): EncryptionConfig {
  const bytesOf = (name: string, value: string): Uint8Array => {
    const bytes = new Uint8Array(Buffer.from(value, "base64"));
    expect(name, bytes.length === 32, "32 bytes in base64", `${bytes.length} bytes`);
    return bytes;
  };
  const current = text("PARLEY_ENCRYPTION_KEY");
  const former = list("PARLEY_ENCRYPTION_KEYS_OLD", /^/, "keys in base64") ?? [];
  expect(
    "PARLEY_ENCRYPTION_KEYS_OLD",
    former.length === 0 || current !== null,
    "PARLEY_ENCRYPTION_KEY beside it, with the new key",
    "former keys alone",
  );
  return {
    encryptionKey: current === null ? null : bytesOf("PARLEY_ENCRYPTION_KEY", current),
    formerKeys: former.map((value) => bytesOf("PARLEY_ENCRYPTION_KEYS_OLD", value)),
  };
}
