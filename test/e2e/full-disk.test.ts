/** A disk that is full, really: the data folder is a small disk of its own. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskMaker, startParley, type Parley } from "./parley.ts";

const [unshare, ...flags] = diskMaker;
// Some machines let nobody make a mount; where CI is set, that is a failure.
const withoutDisks = spawnSync(unshare, [...flags, "true"]).status !== 0 && !process.env["CI"];

const send = async (parley: Parley, id: string, text: string): Promise<{ status: number; error: string }> => {
  const response = await fetch(`${parley.url}/console/api/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id, channel: "general", thread: null, text, files: [] }),
  });
  const body = (await response.json()) as { error?: string };
  return { status: response.status, error: body.error ?? "" };
};

const texts = async (parley: Parley): Promise<string[]> => {
  const response = await fetch(`${parley.url}/console/api/channels/general/messages`);
  const { messages } = (await response.json()) as { messages: Array<{ text: string }> };
  return messages.map(({ text }) => text);
};

describe.skipIf(withoutDisks)("a full disk", () => {
  test("refuses a message visibly, loses nothing, and takes the same message once there is room", async ({ onTestFinished }) => {
    const parley = await startParley({}, { disk: "4m" });
    onTestFinished(() => parley.close());
    expect(await send(parley, randomUUID(), "before")).toMatchObject({ status: 200 });

    // The disk as that process sees it.
    const filler = join(`/proc/${parley.pid()}/root`, parley.dataDir, "filler");
    const fill = (): void => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024));
    expect(fill).toThrow(/ENOSPC/);
    const id = randomUUID();
    const words = "too much ".repeat(10_000);
    const refused = await send(parley, id, words);
    expect(refused).toMatchObject({ status: 503, error: expect.stringMatching(/disk is full.*text is still here/) as unknown });
    expect(await texts(parley)).toEqual(["before"]);

    rmSync(filler);
    expect(await send(parley, id, words)).toMatchObject({ status: 200 });
    expect(await send(parley, id, words)).toMatchObject({ status: 200 });
    expect(await texts(parley)).toEqual(["before", words]);
  });
});
