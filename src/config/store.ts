/** Where what Parley stores is kept. */
import type { Reader, VariableInfo } from "./reader.ts";

export interface StoreConfig {
  /** A PostgreSQL that several replicas share; null: SQLite in the data folder, for one process. */
  readonly databaseUrl: string | null;
}

export const storeVariables: readonly VariableInfo[] = [
  {
    name: "DATABASE_URL",
    fallback: "SQLite in PARLEY_DATA",
    help: "postgres://… for several replicas, with WORKSPACE_BASE_URL and PARLEY_ENCRYPTION_KEY the same for all",
    secret: true,
  },
];

const isPostgresUrl = (value: string): boolean => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);

export function readStore({ text, expect }: Reader): StoreConfig {
  const databaseUrl = text("DATABASE_URL");
  if (databaseUrl === null) return { databaseUrl };
  // What was written may hold a password: it is not repeated.
  expect(
    "DATABASE_URL",
    isPostgresUrl(databaseUrl),
    "an address as postgres://name:password@host:5432/database",
    "something else",
  );
  expect(
    "DATABASE_URL",
    text("WORKSPACE_BASE_URL") !== null,
    "WORKSPACE_BASE_URL beside it, as replicas share one workspace (npm run parley -- workspace serves one)",
    "the embedded workspace",
  );
  expect(
    "DATABASE_URL",
    text("PARLEY_ENCRYPTION_KEY") !== null,
    "PARLEY_ENCRYPTION_KEY beside it, as every replica must open what another stored",
    "no key",
  );
  return { databaseUrl };
}
