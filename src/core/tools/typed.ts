/** Arguments of a tool as they are typed behind its name: `limit:5 search:"two words"`, or a JSON object. */
import { readArgument, type Argument } from "./arguments.ts";

export interface Typed {
  readonly args: Readonly<Record<string, unknown>>;
  /** A line each: what was expected. */
  readonly problems: readonly string[];
}

const pair = /([\p{L}\p{N}_.-]+)[:=](?:"((?:[^"\\]|\\.)*)"|(\S*))/gu;

export function readTyped(known: readonly Argument[], text: string): Typed {
  const typed = text.trim();
  if (typed.startsWith("{")) return fromJson(known, typed);
  const args: Record<string, unknown> = {};
  const problems: string[] = [];
  let rest = typed;
  for (const [whole, name = "", quoted, plain = ""] of typed.matchAll(pair)) {
    const argument = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    rest = rest.replace(whole, " ");
    if (argument === undefined) {
      problems.push(`${name}: There is no such argument. Expected ${names(known)}.`);
      continue;
    }
    const read = readArgument(argument, quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, "$1"), /,|\n/);
    if ("problem" in read) problems.push(`${argument.name}: ${read.problem}`);
    else args[argument.name] = read.value;
  }
  const stray = rest.trim();
  const [only, ...others] = known.filter(({ required }) => required);
  // What has no name can only be meant for the one argument that there has to be.
  if (stray !== "" && only !== undefined && others.length === 0 && args[only.name] === undefined) {
    const read = readArgument(only, stray, /,|\n/);
    if ("problem" in read) problems.push(`${only.name}: ${read.problem}`);
    else args[only.name] = read.value;
  } else if (stray !== "") problems.push(`“${stray}” has no name. Expected ${names(known)}, each as name:value.`);
  return { args, problems: [...problems, ...lacking(known, args)] };
}

function fromJson(known: readonly Argument[], text: string): Typed {
  try {
    const args = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return { args, problems: lacking(known, args) };
  } catch {
    return { args: {}, problems: ['This is no JSON. Expected something like {"limit": 5}.'] };
  }
}

const names = (known: readonly Argument[]): string =>
  known.length === 0
    ? "none"
    : known
        .map(({ name }) => name)
        .slice(0, 20)
        .join(", ");

const lacking = (known: readonly Argument[], args: Readonly<Record<string, unknown>>): string[] =>
  known.filter(({ name, required }) => required && args[name] === undefined).map(({ name }) => `${name}: Please give this.`);
