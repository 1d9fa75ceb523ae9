/** Slack meets the contract of all platforms, by both of its transports. */
import { mention, type Said as Told } from "../fakes/slack/people.ts";
import { platformContract, type Said } from "../contracts/platform-contract.ts";
import { openAdapter } from "./adapter.ts";
import { shownOf, transports } from "./world.ts";

const said = (told: Told): Said => ({ acknowledged: told.acknowledged, again: async () => said(await told.again()) });

for (const transport of transports) {
  platformContract(`Slack, by ${transport}`, async () => {
    const { slack, adapter, inbox, close } = await openAdapter(transport, { slack: { ackMs: 200 } });
    const ann = slack.person("U0ANN");
    const { ts: root } = await ann.says("C0GENERAL", "people talk here", { silently: true });
    const place = { platform: "slack", tenant: "T0ACME", channel: "C0GENERAL", thread: root };
    return {
      platform: adapter.platform,
      place,
      person: { id: "U0ANN", name: "Ann" },
      received: inbox.received,
      failInbox: (error) => void (inbox.failure = error),
      async say(text, { addressed, file }) {
        const files = file === undefined ? {} : { files: [file] };
        return said(await ann.says("C0GENERAL", addressed ? `${mention} ${text}` : text, files));
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
