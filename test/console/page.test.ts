import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openHost, type Host, type HostOptions } from "./host.ts";

async function withHost(options: HostOptions, use: (host: Host) => Promise<void>): Promise<void> {
  const host = await openHost(options);
  try {
    await use(host);
  } finally {
    await host.close();
  }
}

const upgradeStatus = (host: Host, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${host.url.replace("http", "ws")}/console/ws`, { headers });
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("error", reject);
  });

describe("the page", () => {
  it("is served with headers that let only its own files run", () =>
    withHost({}, async (host) => {
      const response = await fetch(host.url);
      expect(response.status).toBe(200);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain("unsafe");
      expect(policy).not.toContain("http");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      const page = await response.text();
      expect(page).not.toMatch(/<script(?![^>]*\bsrc="\/assets\/)/);
      expect(page).not.toMatch(/\son\w+=|\sstyle=/);
    }));

  it("serves every module that a module asks for, and nothing from elsewhere", () =>
    withHost({}, async (host) => {
      const seen = new Set<string>();
      const visit = async (path: string): Promise<void> => {
        if (seen.has(path)) return;
        seen.add(path);
        const response = await fetch(`${host.url}${path}`);
        expect([path, response.status, response.headers.get("content-type")]).toEqual([
          path,
          200,
          "text/javascript; charset=utf-8",
        ]);
        const code = await response.text();
        const run = code.replace(/\/\*[\s\S]*?\*\//g, "");
        for (const [, wanted] of run.matchAll(/\bfrom\s*"([^"]+)"/g)) {
          expect(wanted).toMatch(/^\.\.?\//);
          await visit(new URL(wanted ?? "", `http://page${path}`).pathname);
        }
      };
      await visit("/assets/main.js");
      expect(seen.size).toBeGreaterThan(20);
    }));

  it("is asked for again each time, and sent only when it changed", () =>
    withHost({}, async (host) => {
      const first = await fetch(`${host.url}/assets/main.js`);
      const etag = first.headers.get("etag") ?? "";
      expect((await fetch(`${host.url}/assets/main.js`, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await fetch(`${host.url}/assets/..%2f..%2f..%2fpackage.json`)).status).toBe(404);
      expect((await fetch(`${host.url}/assets/vendor/../console.ts`)).status).toBe(404);
    }));

  it("asks for the password where one is set, and shows nothing before", () =>
    withHost({ token: "open sesame" }, async (host) => {
      expect((await fetch(host.url)).status).toBe(401);
      for (const path of ["/state", "/channels/general/messages", `/files/${"0".repeat(32)}`]) {
        expect((await fetch(`${host.url}/console/api${path}`)).status).toBe(401);
      }
      expect(await upgradeStatus(host)).toBe(401);
      const enter = (password: string) =>
        fetch(host.url, { method: "POST", body: new URLSearchParams({ password }), redirect: "manual" });
      const wrong = await enter("open simsim");
      expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
      const right = await enter("open sesame");
      expect(right.status).toBe(303);
      const cookie = right.headers.get("set-cookie") ?? "";
      expect(cookie).toContain("HttpOnly");
      expect(cookie).toContain("SameSite=Strict");
      expect(cookie).not.toContain("sesame");
      const headers = { cookie: cookie.split(";")[0] ?? "" };
      expect((await fetch(host.url, { headers })).status).toBe(200);
      expect((await fetch(`${host.url}/console/api/state`, { headers })).status).toBe(200);
      expect(await upgradeStatus(host, headers)).toBe(101);
      expect((await fetch(host.url, { headers: { cookie: "parley_console=guess" } })).status).toBe(401);
    }));

  it("leaves other connections to others", () =>
    withHost({}, async (host) => {
      expect((await fetch(`${host.url}/api/v1/agents`)).status).toBe(404);
      const socket = new WebSocket(`${host.url.replace("http", "ws")}/api/v1/live`);
      await expect(new Promise((_, reject) => socket.on("error", reject))).rejects.toThrow("socket hang up");
    }));

  it("tells of a fault in the log and not in the answer", () =>
    withHost({}, async (host) => {
      await host.db.schema.dropTable("console_settings").execute();
      const response = await fetch(`${host.url}/console/api/state`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("console_settings");
    }));
});
