/** Discord meets the contract of all platforms. */
import { createAloneHere } from "../../src/core/alone.ts";
import { createDiscord } from "../../adapters/discord/discord.ts";
import type { Form } from "../../src/core/forms.ts";
import type { Inbound, Inbox } from "../../src/core/inbound.ts";
import { createMap } from "../../src/store/key-values.ts";
import { platformContract, type Pressed, type Said, type SentForm } from "../contracts/platform-contract.ts";
import type { FakeInteraction } from "../fakes/discord/interaction-routes.ts";
import { openFakeDiscord } from "../fakes/discord/discord.ts";
import { runningClock as clock } from "../fakes/running-clock.ts";
import type { MapName } from "../../src/store/holdings.ts";
import { formsFor } from "../fakes/forms.ts";
import { openStore } from "../store/open.ts";

/** What people read: without the marks that keep text from being Markdown. */
const read = (content: string): string => content.replace(/[\u200b\u2060]/g, "").replace(/\\([^\w\s])/g, "$1");

platformContract("Discord", { masks: false, explains: false }, async () => {
  const fake = await openFakeDiscord({
    rates: { "POST /channels/:channel/messages": { count: 50, windowMs: 1_000 } },
  });
  const guild = fake.guild("Team");
  const general = fake.text(guild, "general");
  const ann = fake.person("Ann", [{ guild }]);
  const thread = fake.thread(general, "Work", ann);
  const opened = await openStore();
  const map = <Value>(name: MapName) => createMap<Value>(opened.db, clock, name);
  const forms = new Map<string, Form>();
  const received: Inbound[] = [];
  let failure: Error | null = null;
  let attempts = 0;
  const inbox: Inbox = {
    receive(inbound) {
      attempts++;
      if (failure !== null) return Promise.reject(failure);
      if (received.some(({ key }) => key === inbound.key)) return Promise.resolve("known");
      received.push(inbound);
      return Promise.resolve("new");
    },
  };
  const platform = createDiscord({
    alone: createAloneHere(),
    onGateway: () => {},
    token: fake.token,
    apiUrl: fake.apiUrl,
    guild: null,
    followUps: "thread",
    catchUp: true,
    allow: { guilds: [], channels: [], roles: [], users: [] },
    deny: { guilds: [], channels: [], roles: [], users: [] },
    settings: () => Promise.resolve({}),
    directory: { ...formsFor(ann.user.id, forms), commands: [], suggest: () => Promise.resolve([]) },
    maps: {
      joined: map("discord-joined"),
      marks: map("discord-marks"),
      told: map("discord-told"),
      tokens: map("discord-tokens"),
    },
    clock,
    random: Math.random,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const end = new AbortController();
  await platform.start(inbox, end.signal);

  /** Discord's gateway wants no word that an event was stored: what counts is whether it was. */
  const attempted = async (before: number): Promise<void> => {
    while (attempts === before) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  /** Events of a channel are taken in one after the other: once a later one is, an earlier one was. */
  const passed = async (): Promise<void> => {
    const before = attempts;
    ann.says(general, `${fake.mention} a later one`);
    await attempted(before);
    received.pop();
  };
  const until = async (look: () => boolean): Promise<void> => {
    while (!look()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  /** What the person sees once their press is acknowledged. */
  const seenOf = (pressed: FakeInteraction): Pressed => {
    const { modal } = pressed;
    if (modal === null) return { told: fake.message(pressed.original ?? "")?.content ?? "" };
    return {
      title: modal.title,
      submit: "Submit",
      fields: modal.components.map(({ label, component }) => ({
        label,
        masked: false,
        value:
          component.value ??
          (component.options ?? [])
            .filter((option) => option.default === true)
            .map((option) => option.label)
            .join(", "),
      })),
      async send(values) {
        const deliver = async (send: () => FakeInteraction): Promise<SentForm> => {
          const before = attempts;
          const sent = send();
          await until(() => sent.acknowledged !== null || attempts > before);
          if (failure === null) await until(() => sent.acknowledged !== null);
          const again = (): Promise<SentForm> =>
            deliver(() => {
              fake.gateway.repeat("INTERACTION_CREATE");
              return sent;
            });
          return { acknowledged: sent.acknowledged !== null, problems: [], again };
        };
        return deliver(() => ann.submits(pressed, values));
      },
    };
  };
  return {
    forms,
    async press({ id }, { label }) {
      const message = fake.message(id);
      if (message === undefined) throw new Error("the message is gone");
      const pressed = ann.presses(message, label);
      await until(() => pressed.acknowledged !== null);
      return seenOf(pressed);
    },
    platform,
    place: { platform: "discord", tenant: guild.id, channel: general.id, thread: thread.id },
    person: { id: ann.user.id, name: "Ann" },
    received,
    failInbox: (error) => void (failure = error),
    async say(text, { addressed, file }) {
      const deliver = async (send: () => void): Promise<Said> => {
        const again = (): Promise<Said> => deliver(() => fake.gateway.repeat("MESSAGE_CREATE"));
        const before = attempts;
        send();
        if (fake.gateway.connections === 0) return { acknowledged: false, again };
        if (addressed) await attempted(before);
        else await passed();
        return { acknowledged: failure === null, again };
      };
      return deliver(() => {
        const files = file === undefined ? [] : [file];
        ann.says(general, addressed ? `${fake.mention} ${text}` : text, { files });
      });
    },
    async shown({ id }) {
      const message = await Promise.resolve(fake.message(id));
      return message === undefined
        ? undefined
        : [read(message.content), ...message.attachments.map(({ filename }) => filename)].join("\n");
    },
    count: async (place) =>
      (await Promise.resolve(fake.messages(place.thread ?? place.channel))).filter(({ author }) => author.id === fake.bot.id)
        .length,
    async close() {
      await platform.stop();
      end.abort(new Error("the test is over"));
      await fake.close();
      await opened.close();
    },
  };
});
