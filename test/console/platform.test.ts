/** The console meets the contract of all platforms. */
import type { MessageView } from "../../adapters/console/wire.ts";
import type { Form } from "../../src/core/forms.ts";
import { platformContract, type Pressed, type Said, type SentForm } from "../contracts/platform-contract.ts";
import { call, openHost, pageId, say } from "./host.ts";

/** Every text of a message's JSON: what the page draws as text nodes. */
function texts(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(texts).join("\n") : "";
}

platformContract("The console", { masks: true, explains: true }, async () => {
  const forms = new Map<string, Form>();
  const host = await openHost({ forms });
  const root = (await say(host, "people talk here")).body.message.id as string;
  const place = { platform: "console", tenant: "local", channel: "general", thread: root };
  const thread = async (): Promise<MessageView[]> => (await call(host, "GET", `/threads/${root}`)).body.messages as MessageView[];
  const seenOf = (form: Form): Pressed => ({
    title: form.title,
    submit: form.submit,
    fields: form.fields.map(({ label, type, value = [], choices = [] }) => {
      const shown = (typeof value === "string" ? [value] : value).map(
        (one) => choices.find((choice) => choice.value === one)?.label ?? one,
      );
      return { label, value: shown.join(", "), masked: type === "secret" };
    }),
    async send(values) {
      const id = pageId();
      // The page sends every field, as it stands there.
      const whole = Object.fromEntries(form.fields.map(({ name, value = "" }) => [name, values[name] ?? value]));
      const deliver = async (): Promise<SentForm> => {
        const { status, body } = await call(host, "POST", `/forms/${form.id}`, { id, values: whole });
        return {
          acknowledged: status < 300,
          problems: Object.values((body.problems ?? {}) as Record<string, string>),
          again: deliver,
        };
      };
      return deliver();
    },
  });
  return {
    forms,
    async press(_posted, { form = "" }) {
      const { status, body } = await call(host, "GET", `/forms/${form}`);
      return status === 200 ? seenOf(body.form as Form) : { told: body.error as string };
    },
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
