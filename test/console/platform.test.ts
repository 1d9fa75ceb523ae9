/** The console meets the contract of all platforms. */
import type { MessageView } from "../../adapters/console/wire.ts";
import { platformContract, type Said } from "../contracts/platform-contract.ts";
import { call, openHost, pageId, say } from "./host.ts";

/** Every text of a message's JSON: what the page draws as text nodes. */
function texts(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(texts).join("\n") : "";
}

platformContract("The console", async () => {
  const host = await openHost();
  const root = (await say(host, "people talk here")).body.message.id as string;
  const place = { platform: "console", tenant: "local", channel: "general", thread: root };
  const thread = async (): Promise<MessageView[]> => (await call(host, "GET", `/threads/${root}`)).body.messages as MessageView[];
  return {
    platform: host.console.platform,
    place,
    person: { id: "you", name: "You" },
    received: host.inbox.received,
    failInbox: (error) => void (host.inbox.failure = error),
    async say(text, { addressed, file }) {
      const files: string[] = [];
      if (file !== undefined) {
        const body = Buffer.from(file.bytes);
        const response = await fetch(`${host.url}/console/api/files?name=${file.name}`, { method: "POST", body });
        files.push(((await response.json()) as { file: { id: string } }).file.id);
      }
      const id = pageId();
      const deliver = async (): Promise<Said> => {
        const { status } = await say(host, addressed ? `@parley ${text}` : text, { id, files });
        return { acknowledged: status === 200, again: deliver };
      };
      return deliver();
    },
    async shown({ id }) {
      const found = (await thread()).find((message) => message.id === id);
      return found === undefined ? undefined : texts([found.document?.blocks, found.files]);
    },
    count: async () => (await thread()).filter((message) => message.author.id === "parley").length,
    close: () => host.close(),
  };
});
