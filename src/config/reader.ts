/** How a part of the configuration reads its variables: what is wrong is noted, and all of it is told at once. */

/** A variable that Parley reads: for `--help`, `.env.example` and the README, all held to this list by a test. */
export interface VariableInfo {
  readonly name: string;
  readonly fallback: string;
  readonly help: string;
  /** It may be in a file that `NAME_FILE` names, as container secrets are. */
  readonly secret?: true;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Reader {
  /** The trimmed value, a secret's also from its file; null where it is unset or empty. */
  readonly text: (name: string) => string | null;
  /** Notes a problem unless `valid`. `got` must repeat no secret. */
  readonly expect: (name: string, valid: boolean, expected: string, got: string) => void;
  readonly oneOf: <const Value extends string>(name: string, values: readonly Value[], fallback: Value) => Value;
  /** `0` or `1`. */
  readonly flag: (name: string, fallback: boolean) => boolean;
  /** A whole number of `least` or more. `what`: "days". */
  readonly count: (name: string, least: number, fallback: number, what: string) => number;
  /** A list separated by commas or blanks, of which each matches `form`; null where it is not set. `what`: "ids of Slack". */
  readonly list: (name: string, form: RegExp, what: string) => readonly string[] | null;
  /** An http or https address; what is shown of a wrong one is without its name and password. */
  readonly address: (name: string, fallback: string) => string;
  readonly problems: readonly string[];
}

/** An address as it may be repeated: without the name and password that it may hold. */
export const shownAddress = (value: string): string => JSON.stringify(value.replace(/\/\/.*@/, "//…@"));
export const isHttpUrl = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** The variable that names the file of a secret. */
const fileOf = (name: string): string => `${name}_FILE`;

/**
 * @param secrets names of the variables that may be in files
 * @param readFile gives a file's text, or throws
 */
export function createReader(env: Environment, secrets: ReadonlySet<string>, readFile: (path: string) => string): Reader {
  const problems: string[] = [];
  const plain = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  const read = new Map<string, string | null>();
  /** Once for each secret, so that a problem is noted once. */
  const secret = (name: string): string | null => {
    const known = read.get(name);
    if (known !== undefined) return known;
    const value = plain(name);
    const path = plain(fileOf(name));
    const found = path === null ? value : fromFile(name, path);
    if (path !== null) reader.expect(name, value === null, `either ${name} or ${fileOf(name)}`, "both");
    read.set(name, found);
    return found;
  };
  const fromFile = (name: string, path: string): string | null => {
    const got = (what: string): null => {
      reader.expect(fileOf(name), false, "a file with the secret in it", `${path}, which ${what}`);
      return null;
    };
    try {
      const text = readFile(path).trim();
      return text === "" ? got("is empty") : text;
    } catch (thrown) {
      return got(`cannot be read (${thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown reason"})`);
    }
  };
  const reader: Reader = {
    problems,
    text: (name) => (secrets.has(name) ? secret(name) : plain(name)),
    expect(name, valid, expected, got) {
      if (!valid) problems.push(`${name}: expected ${expected}, got ${got}`);
    },
    oneOf(name, values, fallback) {
      const value = reader.text(name) ?? fallback;
      const found = values.find((known) => known === value);
      reader.expect(name, found !== undefined, `one of ${values.join(", ")}`, JSON.stringify(value));
      return found ?? fallback;
    },
    flag(name, fallback) {
      const value = reader.text(name) ?? (fallback ? "1" : "0");
      reader.expect(name, /^[01]$/.test(value), "0 or 1", JSON.stringify(value));
      return value === "1";
    },
    count(name, least, fallback, what) {
      const value = reader.text(name) ?? String(fallback);
      const valid = /^\d{1,9}$/.test(value) && Number(value) >= least;
      reader.expect(name, valid, `a whole number of ${what}, ${least} or more`, JSON.stringify(value));
      return valid ? Number(value) : fallback;
    },
    list(name, form, what) {
      const value = reader.text(name);
      if (value === null) return null;
      const listed = value.split(/[\s,]+/).filter((item) => item !== "");
      const valid = listed.every((item) => form.test(item));
      reader.expect(name, valid, `${what}, separated by commas`, JSON.stringify(value));
      return listed;
    },
    address(name, fallback) {
      const value = reader.text(name) ?? fallback;
      reader.expect(name, isHttpUrl(value), "an http or https address", shownAddress(value));
      return value;
    },
  };
  return reader;
}
