/** Discord's published rules for the body of a message, as far as Parley's routes can meet them. */
import { invalid, refuse } from "./errors.ts";

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

export const flags = { suppressEmbeds: 4, ephemeral: 64, loading: 128, suppressNotifications: 4096, componentsV2: 32_768 };

const createFields = new Set([
  "content",
  "nonce",
  "enforce_nonce",
  "tts",
  "embeds",
  "allowed_mentions",
  "message_reference",
  "components",
  "attachments",
  "flags",
]);
const editFields = new Set(["content", "embeds", "flags", "allowed_mentions", "components", "attachments"]);

export type BodyKind = "create" | "edit" | "interaction";

/** What may be set in `flags` by each request. */
const flagsOf: Readonly<Record<BodyKind, number>> = {
  create: flags.suppressEmbeds | flags.suppressNotifications | flags.componentsV2,
  edit: flags.suppressEmbeds | flags.componentsV2,
  interaction: flags.suppressEmbeds | flags.ephemeral | flags.suppressNotifications | flags.componentsV2,
};

/** Throws the refusal that Discord would give for this body. */
export function checkMessageBody(body: Json, kind: BodyKind, files: number): void {
  const allowed = kind === "edit" ? editFields : createFields;
  for (const field of Object.keys(body))
    if (!allowed.has(field)) invalid(field, "UNKNOWN_FIELD", `${field} is not a field of this body`);

  const { content, nonce, components, embeds } = body;
  if (content !== undefined && content !== null) {
    if (typeof content !== "string") invalid("content", "BASE_TYPE_STRING", "Could not interpret as string.");
    if (Array.from(content).length > 2000) invalid("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.");
  }
  if (nonce !== undefined) {
    const valid = typeof nonce === "string" ? nonce.length <= 25 : Number.isSafeInteger(nonce);
    if (!valid) invalid("nonce", "NONCE_TYPE_TOO_LONG", "Must be 25 or fewer in length.");
  }
  const wanted = body["flags"] ?? 0;
  if (typeof wanted !== "number" || (wanted & ~flagsOf[kind]) !== 0)
    invalid("flags", "INVALID_FLAGS", `These flags cannot be set: ${JSON.stringify(wanted)}`);
  if (Array.isArray(embeds) && embeds.length > 10) invalid("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  if (components !== undefined && components !== null) checkComponents(components);
  checkMentions(body["allowed_mentions"]);

  const whole = typeof content === "string" && content.trim() !== "";
  const isEmpty =
    !whole &&
    files === 0 &&
    !(Array.isArray(embeds) && embeds.length > 0) &&
    !(Array.isArray(components) && components.length > 0);
  if (isEmpty && (kind !== "edit" || content === "" || content === null)) refuse(50006);
  if (files > 10) invalid("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
}

function checkComponents(components: unknown): void {
  if (!Array.isArray(components)) invalid("components", "BASE_TYPE_LIST", "Could not interpret as list.");
  if (components.length > 5) invalid("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
  const ids = new Set<string>();
  for (const [at, row] of components.entries()) {
    const inner = isObject(row) ? row["components"] : undefined;
    if (!isObject(row) || row["type"] !== 1 || !Array.isArray(inner))
      invalid(`components.${at}.type`, "UNION_TYPE_CHOICES", "Value of field 'type' must be one of (1,).");
    if (inner.length < 1 || inner.length > 5)
      invalid(`components.${at}.components`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
    for (const [place, part] of (inner as Json[]).entries()) {
      const field = `components.${at}.components.${place}`;
      const { custom_id: id, label, style, type, url } = part;
      if (type === 2 && (typeof style !== "number" || style < 1 || style > 6))
        invalid(`${field}.style`, "BASE_TYPE_CHOICES", "Unknown style.");
      if (type === 2 && typeof label === "string" && label.length > 80)
        invalid(`${field}.label`, "BASE_TYPE_MAX_LENGTH", "Must be 80 or fewer in length.");
      if (type === 2 && style === 5) {
        if (typeof url !== "string" || url.length > 512) invalid(`${field}.url`, "BASE_TYPE_REQUIRED", "This field is required");
        continue;
      }
      if (typeof id !== "string" || id.length < 1 || id.length > 100)
        invalid(`${field}.custom_id`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
      if (ids.has(id))
        invalid(`${field}.custom_id`, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
      ids.add(id);
    }
  }
}

function checkMentions(mentions: unknown): void {
  if (mentions === undefined || mentions === null) return;
  if (!isObject(mentions)) invalid("allowed_mentions", "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
  const parse = mentions["parse"] ?? [];
  if (!Array.isArray(parse) || parse.some((kind) => !["roles", "users", "everyone"].includes(String(kind))))
    invalid("allowed_mentions.parse", "BASE_TYPE_CHOICES", "Value must be one of {'everyone', 'roles', 'users'}.");
  for (const list of ["users", "roles"] as const) {
    const named = mentions[list];
    if (Array.isArray(named) && named.length > 0 && parse.includes(list))
      invalid(
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        `parse:["${list}"] and ${list}: [ids...] are mutually exclusive.`,
      );
  }
}

/** Whom a written message pings: everybody it names, unless the request says otherwise. */
export function pingsOf(content: string, mentions: unknown): string[] {
  const given = isObject(mentions) ? mentions : { parse: ["users", "roles", "everyone"] };
  const parse = Array.isArray(given["parse"]) ? (given["parse"] as string[]) : [];
  const listed = (kind: string): string[] => (Array.isArray(given[kind]) ? (given[kind] as string[]) : []);
  const ids = (pattern: RegExp): string[] => [...content.matchAll(pattern)].map(([, id = ""]) => id);
  return [
    ...(parse.includes("everyone") ? [...content.matchAll(/@(?:everyone|here)/g)].map(([whole]) => whole) : []),
    ...ids(/<@!?(\d+)>/g).filter((id) => parse.includes("users") || listed("users").includes(id)),
    ...ids(/<@&(\d+)>/g).filter((id) => parse.includes("roles") || listed("roles").includes(id)),
  ];
}
