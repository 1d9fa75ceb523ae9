/** The form that links a person's own workspace account, and what is done with the key. */
import { apiKeyForm } from "../../contract/identifiers.ts";
import { formPurpose, textIn } from "../forms/purpose.ts";
import type { FormDraft } from "../forms.ts";
import { holderOf } from "../links.ts";
import type { Proof } from "../linking.ts";

const isKey = (text: string): boolean => new RegExp(`^${apiKeyForm.source}$`).test(text);

/** Names that fit a line on a phone's screen or two. */
const shownTools = 12;

/** What the workspace told of a key, as Markdown. */
export function described({ userId, tools }: Proof): string {
  const whose = userId === null ? "The workspace does not tell whose it is." : `It is account number ${userId}.`;
  if (tools === null) return `${whose} The workspace does not tell which tools it may use.`;
  if (tools.length === 0) return `${whose} It may use no tools.`;
  const named = tools.slice(0, shownTools).map((name) => `\`${name}\``);
  const more = tools.length > shownTools ? `, and ${tools.length - shownTools} more` : "";
  return `${whose} It may use ${tools.length === 1 ? "1 tool" : `${tools.length} tools`}: ${named.join(", ")}${more}.`;
}

export const linkPurpose = formPurpose<null>({
  kind: "link",
  order: "now",
  deed: null,
  async run(_data, values, { command, linking, signal }) {
    const key = textIn(values, "key");
    if (!isKey(key)) return { wrong: { key: "That is no workspace key: expected a name, -API- and 64 letters or digits." } };
    const proof = await linking.prove(key, signal);
    if (proof === undefined) return { wrong: { key: "The workspace does not know this key. Check it, or make a new one." } };
    const waiting = await linking.link(holderOf(command), key);
    const next =
      waiting === 0 ? "" : waiting === 1 ? " What you asked goes on now." : ` The ${waiting} things that you asked go on now.`;
    return {
      tell: `Your account is linked. ${described(proof)}\n\nYour direct messages, lists and tools use it from now on.${next} \`/unlink\` takes it back.`,
    };
  },
});

export const linkForm = (): FormDraft => ({
  title: "Link your account",
  submit: "Link",
  open: "Link your account",
  fields: [
    {
      name: "key",
      label: "Workspace key",
      help: "Made in the workspace's settings. Parley stores it encrypted, for you alone",
      type: "secret",
      required: true,
      max: 200,
    },
  ],
  purpose: linkPurpose.about(null),
});
