/** Tolerant reading: a field that is absent, null or of another type takes its default; fields that nobody asked for are left out. */
import type { DecimalString } from "../contract/records.ts";

/** Reads a value of any shape; undefined leaves the field out. */
export type Read<T> = (value: unknown) => T;

/** A reader for each field of a record, so that none can be forgotten. */
export type Fields<T> = { readonly [K in keyof T]-?: Read<T[K] | (object extends Pick<T, K> ? undefined : never)> };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text =
  (absent = ""): Read<string> =>
  (value) =>
    typeof value === "string" ? value : absent;

export const integer =
  (absent = 0): Read<number> =>
  (value) =>
    Number.isSafeInteger(value) ? (value as number) : absent;

export const flag: Read<boolean> = (value) => value === true;

/** Money: a JSON number is taken for what it says, though the interface never sends one. */
export const decimal: Read<DecimalString> = (value) => {
  const found = typeof value === "number" ? String(value) : value;
  return typeof found === "string" && Number.isFinite(Number.parseFloat(found)) ? found : "0";
};

export const oneOf =
  <T extends string>(values: readonly T[], absent: T, other: T = absent): Read<T> =>
  (value) =>
    value === undefined || value === null ? absent : (values.find((known) => known === value) ?? other);

export const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === undefined || value === null ? null : read(value);

/** Absent stays absent. */
export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value) =>
    value === undefined || value === null ? undefined : read(value);

export const list =
  <T>(read: Read<T>): Read<T[]> =>
  (value) =>
    Array.isArray(value) ? value.map(read) : [];

/** For what is passed on as it came. */
export const whatever: Read<unknown> = (value) => value;

/** Every field of a record by its reader. What is no object reads as a record of defaults. */
export const record =
  <T>(fields: Fields<T>): Read<T> =>
  (value) => {
    const source = isObject(value) ? value : {};
    const read: Record<string, unknown> = {};
    for (const [name, field] of Object.entries<Read<unknown>>(fields)) {
      const found = field(source[name]);
      if (found !== undefined) read[name] = found;
    }
    return read as T;
  };
