/** A workspace that notes whose key each request bore, and a command for each deed that asks it something. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import type { Message } from "../../src/contract/records.ts";
import { createClient } from "../../src/client/index.ts";
import type { Command } from "../../src/core/commands/table.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";
import { deeds, type Deed, type Where, type Who } from "../../src/core/permissions.ts";

export const keys = {
  team: `PARLEY-API-${"T".repeat(64)}`,
  own: `PARLEY-API-${"O".repeat(64)}`,
} as const;

export interface Wire {
  /** The `Authorization` of every request since the last look. */
  look(): string[];
  readonly connect: (key: string) => ReturnType<typeof createClient>;
  close(): Promise<void>;
}

export async function openWire(): Promise<Wire> {
  const seen: string[] = [];
  const clients: Array<ReturnType<typeof createClient>> = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? "");
    request.resume();
    response.setHeader("content-type", "application/json");
    const message = { ID: 0, ai_model_id: 1, text: "ran", isUser: false, status: "finished", ai_style: "prompty" };
    response.end(JSON.stringify({ ...message, error_text: null, error_id: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    look: () => seen.splice(0),
    connect(apiKey) {
      const client = createClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey });
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `/trysend`, `/trymedia`, …: each sends one request as the account that it is given, and says so to its asker. */
export const probes: readonly Command[] = deeds.map((deed) => ({
  name: `try${deed}`,
  help: `Try ${deed}`,
  options: [],
  order: "now",
  deed,
  async run(_options, { workspace, signal }) {
    if (deed === "write")
      return {
        propose: {
          deed,
          tell: question,
          command: "trywrite",
          choices: [{ label: "Do it", options: { what: "all" } }],
          begun: null,
          async run(whole) {
            await whole.run("probe", { signal });
            return { tell: "Did write." };
          },
        },
      };
    if (deed === "send") await workspace.run("probe", { signal });
    else for await (const _bytes of await workspace.files.download("/probe", { signal }));
    return { tell: `Did ${deed}.` };
  },
}));

/** What is told first is the question, and nothing is done before it is answered. */
export const asksFirst = (cell: string): boolean => cell.includes("asked");
export const question = "This would write.";

/** The cell of the table in `docs/people.md`: what people are told. */
export function stated(who: Who, where: Where, deed: Deed): string {
  const lines = readFileSync(new URL("../../docs/people.md", import.meta.url), "utf8").split("\n");
  const cells = (line: string): string[] =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const head = cells(lines.find((line) => line.startsWith("| Who")) ?? "");
  const row = lines.map(cells).find((line) => line[0] === who && line[1] === where);
  const cell = row?.[head.indexOf(deed)];
  if (cell === undefined) throw new Error(`docs/people.md has no cell for ${who}, ${where}, ${deed}`);
  return cell;
}

/** The keys that the cell lets onto the wire. An operator who has linked none has the team's as their own. */
export const statedKeys = (cell: string): string[] =>
  cell.startsWith("team") ? [`Bearer ${keys.team}`] : cell.startsWith("own") ? [`Bearer ${keys.own}`] : [];

/** What is told, by the cell. */
export const statedWords = (cell: string, deed: Deed): RegExp =>
  cell === "link"
    ? /needs your own workspace account/
    : cell === "no"
      ? /not for everybody here\. Ask |(does not answer|is not there) (guests|for you|you here|in channels that people of other)/
      : new RegExp(`Did ${deed}\\.`);

/** A source of an account's own. */
export const cited = { url: "", file_path: "/kb/canary-file.pdf", title: "canary-title", info: { kb_id: 3 }, citation_index: 1 };

/** Lets the newest answer of a workspace grow. @returns its conversation; undefined before there is one */
export function ownAnswer(own: FakeWorkspace, change: Partial<Message>): number | undefined {
  const conversation = [...own.held.keys()].at(-1);
  if (conversation === undefined || own.held.get(conversation)?.at(-1)?.isUser !== false) return undefined;
  own.answer(conversation, change);
  return conversation;
}
