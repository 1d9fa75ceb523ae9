/** Files of Discord come from its own hosts only, whole, and no longer than they are said to be. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createFileOpening, isContentAddress } from "../../adapters/discord/inbound/files.ts";
import { systemClock } from "../../src/clock.ts";

const api = "https://discord.com/api";

describe("files of Discord", () => {
  it("are read from exactly its content hosts", () => {
    expect(isContentAddress("https://cdn.discordapp.com/attachments/1/2/a.png?ex=1", api)).toBe(true);
    expect(isContentAddress("https://media.discordapp.net/attachments/1/2/a.png", api)).toBe(true);
    for (const address of [
      "http://cdn.discordapp.com/a",
      "https://cdn.discordapp.com.evil.example/a",
      "https://evil.example/cdn.discordapp.com",
      "https://cdn.discordapp.com@evil.example/a",
      "https://user@cdn.discordapp.com/a",
      "https://cdn.discordapp.com:444/a",
      "https://discord.com/api/a",
      "http://127.0.0.1/a",
      "file:///etc/passwd",
      "not an address",
    ])
      expect(isContentAddress(address, api)).toBe(false);
    expect(isContentAddress("http://127.0.0.1:81/a", "http://127.0.0.1:81/api")).toBe(true);
    expect(isContentAddress("http://127.0.0.1:82/a", "http://127.0.0.1:81/api")).toBe(false);
  });

  it("are refused when they are longer than said, moved or gone, and read whole otherwise", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/moved") return void response.writeHead(302, { location: "/file" }).end();
      if (request.url === "/gone") return void response.writeHead(404).end();
      return void response.end("twelve bytes");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const open = createFileOpening({ apiUrl: `${root}/api`, clock: systemClock });
    const read = async (path: string, bytes: number | null): Promise<string> => {
      const chunks: Uint8Array[] = [];
      const file = { id: `${root}${path}`, name: "a", mediaType: "text/plain", bytes };
      for await (const chunk of await open(file, new AbortController().signal)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect(await read("/file", 12)).toBe("twelve bytes");
    expect(await read("/file", null)).toBe("twelve bytes");
    await expect(read("/file", 11)).rejects.toMatchObject({ code: "file_length" });
    await expect(read("/moved", 12)).rejects.toMatchObject({ code: "file_gone" });
    await expect(read("/gone", 12)).rejects.toThrow("no longer there");
    await expect(
      open({ id: "https://evil.example/a", name: "a", mediaType: "", bytes: 1 }, new AbortController().signal),
    ).rejects.toMatchObject({
      code: "file_address",
    });
    await new Promise((resolve) => server.close(resolve));
  });
});
