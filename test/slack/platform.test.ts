/** Slack meets the contract of all platforms, by both of its transports. */
import { mention, type Person, type Said as Told } from "../fakes/slack/people.ts";
import type { Delivered } from "../fakes/slack/delivery.ts";
import { str, type Json } from "../fakes/slack/state.ts";
import { platformContract, type Pressed, type Said, type SentForm } from "../contracts/platform-contract.ts";
import { openAdapter, until } from "./adapter.ts";
import { shownOf, transports } from "./world.ts";

const said = (told: Told): Said => ({ acknowledged: told.acknowledged, again: async () => said(await told.again()) });

const words = (value: unknown): string => str((value as Json | undefined)?.["text"]);

/** What a modal looks like, and how it is sent. */
function opened(modal: Json, ann: Person): Pressed {
  const blocks = modal["blocks"] as Json[];
  if (modal["submit"] === undefined) return { told: blocks.map(({ text }) => words(text)).join("\n") };
  return {
    title: words(modal["title"]),
    submit: words(modal["submit"]),
    fields: blocks.map(({ label, element }) => {
      const { initial_value: typed, initial_option: one, initial_options: several = [] } = element as Json;
      const chosen = [...(one === undefined ? [] : [one]), ...(several as Json[])];
      return {
        label: words(label),
        value: str(typed ?? chosen.map((option) => words((option as Json)["text"])).join(", ")),
        masked: false,
      };
    }),
    async send(values) {
      const filled = Object.entries(values).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : value.join(","),
      ]);
      const sent = (delivered: Delivered): SentForm => ({
        acknowledged: delivered.acknowledged,
        problems: Object.values((delivered.answer["errors"] ?? {}) as Record<string, string>),
        again: async () => sent(await delivered.again()),
      });
      return sent(await ann.submits(Object.fromEntries(filled)));
    },
  };
}

/** How long the fake waits where nobody is going to acknowledge, in ms. */
const unacknowledgedMs = 200;

for (const transport of transports) {
  platformContract(`Slack, by ${transport}`, { masks: false, explains: true }, async () => {
    const { slack, adapter, inbox, forms, close } = await openAdapter(transport);
    const { ackMs } = slack;
    const ann = slack.person("U0ANN");
    const { ts: root } = await ann.says("C0GENERAL", "people talk here", { silently: true });
    const place = { platform: "slack", tenant: "T0ACME", channel: "C0GENERAL", thread: root };
    return {
      platform: {
        ...adapter.platform,
        async stop() {
          await adapter.platform.stop();
          slack.ackMs = unacknowledgedMs;
        },
      },
      place,
      person: { id: "U0ANN", name: "Ann" },
      received: inbox.received,
      failInbox(error) {
        inbox.failure = error;
        slack.ackMs = error === null ? ackMs : unacknowledgedMs;
      },
      async say(text, { addressed, file }) {
        const files = file === undefined ? {} : { files: [file] };
        return said(await ann.says("C0GENERAL", addressed ? `${mention} ${text}` : text, files));
      },
      forms,
      async press({ place: at, id }, { form = "" }) {
        await ann.clicks(at.channel, id, `parley_form_${form}`);
        return opened(await until(() => ann.modal()), ann);
      },
      shown: ({ place: at, id }) => {
        const message = slack.state.messages.find(({ channel, ts }) => channel === at.channel && ts === id);
        if (message === undefined) return Promise.resolve(undefined);
        const names = message.files.map((file) => slack.state.files.get(file)?.name ?? "");
        return Promise.resolve([shownOf(message), ...names].join("\n"));
      },
      count: ({ channel, thread }) => Promise.resolve(slack.answers(channel, thread).length),
      close,
    };
  });
}
