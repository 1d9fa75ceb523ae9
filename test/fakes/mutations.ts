/** Payloads with one field changed, as a broken or hostile sender might send them. */

/** From 0 up to 1. */
type Next = () => number;

type Step = string | number;

/** Every place in a value, itself first. */
function placesIn(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.map((one, index) => [index, one] as const)
    : Object.entries(value as Record<string, unknown>);
  return [path, ...inner.flatMap(([step, one]) => placesIn(one, [...path, step]))];
}

const gone = Symbol("gone");

const strange: readonly unknown[] = [
  gone,
  null,
  true,
  0,
  -1,
  1e308,
  "",
  [],
  {},
  [null],
  { a: { b: [] } },
  "x".repeat(100_000),
  "9".repeat(400),
  "\u0000",
  "‮\u200b\ufeff",
  "👩‍👩‍👧‍👦".repeat(50),
  "\ud800",
  "<!channel> <@U0PARLEY> <@&1> @everyone",
  "__proto__",
  "../../etc/passwd",
];

function changed(value: unknown, path: readonly Step[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    const copy = value.map((one: unknown, index) => (index === step ? changed(one, rest, to) : one));
    return copy.filter((one) => one !== gone);
  }
  const entries = Object.entries(value as Record<string, unknown>).map(
    ([name, one]) => [name, name === step ? changed(one, rest, to) : one] as const,
  );
  return Object.fromEntries(entries.filter(([, one]) => one !== gone));
}

/** A copy in which one field is deleted, null, of another type, huge, or of strange characters. */
export function mutate(value: unknown, next: Next): unknown {
  const places = placesIn(value);
  const path = places[Math.floor(next() * places.length)] ?? [];
  const to = strange[Math.floor(next() * strange.length)];
  const made = changed(value, path, to);
  return made === gone ? null : made;
}

/** How many are tried: as many as `PROPERTY_RUNS` says, or as a few seconds hold. */
export const fuzzCases = Number(process.env["PROPERTY_RUNS"] ?? 300);
