/** As in the container: nothing can be written but the data folder, and the process may do nothing that others may not. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { diskMaker, startParley } from "./parley.ts";

const apiKey = `PARLEY-API-${"s".repeat(64)}`;
const [unshare, ...flags] = diskMaker;
const script = "mount -o remount,bind,ro / && setpriv --bounding-set=-all true";
// Some machines let nobody make a mount; where CI is set, that is a failure.
const cannot = spawnSync(unshare, [...flags, "sh", "-c", script]).status !== 0 && !process.env["CI"];

test.skipIf(cannot)(
  "with everything else read-only and no capability, a file is taken in and a question about it answered",
  async ({ onTestFinished }) => {
    const parley = await startParley({ WORKSPACE_API_KEY: apiKey }, { disk: "64m", sealed: true });
    onTestFinished(() => parley.close());
    const mounts = readFileSync(`/proc/${parley.pid()}/mounts`, "utf8");
    expect(mounts).toMatch(/^\S+ \/ \S+ ro,/m);
    expect(readFileSync(`/proc/${parley.pid()}/status`, "utf8")).toMatch(/^CapEff:\s+0+$/m);
    expect(await (await fetch(`${parley.url}/readyz`)).json()).toMatchObject({ checks: { store: "ready", workspace: "ready" } });

    const client = createClient({ baseUrl: `${new URL(parley.url).origin}/api/v1`, apiKey });
    const words = Readable.from([Buffer.from("The ferry to the island leaves at seven in the morning.")]);
    const { ID } = await client.files.upload("times.txt", "text/plain", words);
    const { message } = await client.conversations.startAndWait({
      message: "When does the ferry leave?",
      attachments: [{ id: ID, type: "file" }],
      auto_model_type: "balanced",
    });
    expect(message?.text).toContain("leaves at seven");

    const id = randomUUID();
    const said = await fetch(`${parley.url}/console/api/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, channel: "general", thread: null, text: "@parley hello", files: [] }),
    });
    expect(said.status).toBe(200);
    const [asked] = (
      (await (await fetch(`${parley.url}/console/api/channels/general/messages`)).json()) as { messages: { id: string }[] }
    ).messages;
    await expect
      .poll(async () => (await fetch(`${parley.url}/console/api/threads/${asked?.id}`)).text())
      .toContain("offline model");
  },
);
