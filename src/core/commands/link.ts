/** Commands about a person's own account at the workspace. */
import { holderOf } from "../links.ts";
import { described, linkForm } from "./link-form.ts";
import type { Command } from "./table.ts";

export const link: Command = {
  name: "link",
  help: "Link your own workspace account, so that Parley can act as you",
  options: [],
  opensForm: true,
  order: "now",
  deed: null,
  form: () => Promise.resolve(linkForm()),
  run: () =>
    Promise.resolve({
      tell: "With your own account linked, your direct messages, lists and tools use it, and nobody else can. You need a key of the workspace, made in its settings.",
      form: linkForm(),
    }),
};

export const unlink: Command = {
  name: "unlink",
  help: "Take your own workspace account away from Parley",
  options: [],
  order: "now",
  deed: null,
  async run(_options, { command, linking }) {
    const gone = await linking.unlink(holderOf(command));
    return { tell: gone ? "Your account is no longer linked, and its key is deleted here." : "You have no account linked." };
  },
};

export const whoami: Command = {
  name: "whoami",
  help: "Show which workspace account Parley uses for you",
  options: [],
  order: "now",
  deed: null,
  async run(_options, { command, linking, signal }) {
    const linked = await linking.of(holderOf(command));
    if (linked === undefined)
      return { tell: "You have no account linked. Where the team's account may be used, it answers you.", form: linkForm() };
    const proof = linked.brokenAt === null ? await linking.prove(linked.key, signal) : undefined;
    if (proof === undefined)
      return { tell: "Your account is linked, but the workspace does not accept its key any more.", form: linkForm() };
    const since = new Date(linked.linkedAt).toISOString().slice(0, 10);
    return { tell: `Your own account is linked since ${since}. ${described(proof)}` };
  },
};
