import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const MiB = 2 ** 20;

test("an upload of 200 MB is never held in memory", async () => {
  const server = fork(new URL("./large-upload-server.ts", import.meta.url), { execArgv: [] });
  try {
    const [{ url, key }] = (await once(server, "message")) as [{ url: string; key: string }];
    const chunk = new Uint8Array(MiB).fill(65);
    const encoder = new TextEncoder();
    async function* body() {
      yield encoder.encode('--x\r\nContent-Disposition: form-data; name="upload[]"; filename="large.bin"\r\n\r\n');
      for (let sent = 0; sent < 200; sent++) yield chunk;
      yield encoder.encode("\r\n--x--\r\n");
    }
    const headers = { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=x" };
    const answer = await fetch(`${url}/file`, { method: "POST", headers, body: ReadableStream.from(body()), duplex: "half" });
    expect(answer.status).toBe(200);
    const [record] = (await answer.json()) as [{ path: string }];
    let received = 0;
    for await (const piece of (await fetch(record.path)).body ?? []) received += piece.byteLength;
    expect(received).toBe(200 * MiB);
    server.send("report");
    const [{ peakBytes }] = (await once(server, "message")) as [{ peakBytes: number }];
    expect(peakBytes).toBeLessThan(300 * MiB);
  } finally {
    server.kill();
  }
});
