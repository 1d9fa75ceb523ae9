/** Messages that are written with an interaction's token, without the bot's own. */
import type { Document } from "../../../src/core/document.ts";
import { WriteFault } from "../../../src/errors.ts";
import type { FileMessage } from "./files.ts";
import { messageOf, privately, quietly } from "./message.ts";
import type { DiscordRest } from "./rest.ts";
import type { Token } from "./tokens.ts";

type Credential = Pick<Token, "applicationId" | "token">;

const webhook = ({ applicationId, token }: Credential): `/${string}` => `/webhooks/${applicationId}/${token}`;

/** The id in Discord's answer to a message. */
export function idOf(answer: unknown): string {
  const id = typeof answer === "object" && answer !== null ? (answer as { id?: unknown }).id : undefined;
  if (typeof id !== "string") throw new WriteFault("unknown", "Discord's answer names no message");
  return id;
}

/** The body of a message with files, and what goes with it. */
export const withFiles = (
  { files, content }: FileMessage,
  around: object,
): { body: { content: string; attachments: object[] }; files: FileMessage["files"] } => ({
  body: { ...around, content, attachments: files.map(({ name }, id) => ({ id, filename: name })) },
  files,
});

export interface Webhook {
  /** Fills the deferred message. @returns its id */
  fill(token: Credential, document: Document, mark: string, signal: AbortSignal): Promise<string>;
  /** Takes the deferred message away. */
  drop(token: Credential, signal: AbortSignal): Promise<void>;
  edit(token: Credential, messageId: string, document: Document, mark: string, signal: AbortSignal): Promise<void>;
  remove(token: Credential, messageId: string, signal: AbortSignal): Promise<void>;
  /** Writes a further message. @returns its id */
  follow(token: Credential, asker: boolean, document: Document, mark: string, signal: AbortSignal): Promise<string>;
  attach(token: Credential, asker: boolean, message: FileMessage, signal: AbortSignal): Promise<string>;
}

export function createWebhook(rest: DiscordRest): Webhook {
  const edit = (token: Credential, message: string, document: Document, mark: string, signal: AbortSignal): Promise<unknown> =>
    rest.call(
      { method: "PATCH", route: `${webhook(token)}/messages/${message}`, body: messageOf(document, mark), auth: false },
      signal,
    );
  const remove = async (token: Credential, message: string, signal: AbortSignal): Promise<void> => {
    await rest.call({ method: "DELETE", route: `${webhook(token)}/messages/${message}`, auth: false }, signal);
  };
  const post = (token: Credential) => ({ method: "POST", route: webhook(token), query: { wait: "true" }, auth: false }) as const;
  const seenBy = (asker: boolean) => (asker ? privately : quietly);

  return {
    fill: async (token, document, mark, signal) => idOf(await edit(token, "@original", document, mark, signal)),
    drop: (token, signal) => remove(token, "@original", signal),
    edit: async (token, messageId, document, mark, signal) => void (await edit(token, messageId, document, mark, signal)),
    remove,
    follow: async (token, asker, document, mark, signal) =>
      idOf(await rest.call({ ...post(token), body: { ...messageOf(document, mark), ...seenBy(asker) } }, signal)),
    attach: async (token, asker, message, signal) =>
      idOf(await rest.call({ ...post(token), ...withFiles(message, seenBy(asker)) }, signal)),
  };
}
