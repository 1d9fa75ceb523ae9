/** What counts as readable by anybody: asked without the key, at any origin, and only a success is a yes. */
import { MockAgent } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient, type Client } from "../../src/client/index.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";

let agent: MockAgent;
let clock: FakeClock;
let client: Client;
const origin = "https://files.example";
beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  clock = fakeClock();
  client = createClient({ baseUrl: "https://workspace.example/api/v1", apiKey: "the-key", dispatcher: agent, clock });
});
afterEach(() => agent.close());

type Headers = Record<string, string>;
const answers = (method: string, path: string, status: number, headers: Headers = {}, at = origin): Headers[] => {
  const seen: Headers[] = [];
  agent
    .get(at)
    .intercept({
      path,
      method,
      headers: (sent) => {
        seen.push(sent);
        return true;
      },
    })
    .reply(status, method === "HEAD" ? "" : "x", { headers });
  return seen;
};

test("a HEAD without the key that succeeds is a yes, on the workspace's own origin too", async () => {
  const elsewhere = answers("HEAD", "/a.png", 200);
  expect(await client.files.isPublic(`${origin}/a.png`)).toBe(true);
  const own = answers("HEAD", "/storage/a", 200, {}, "https://workspace.example");
  expect(await client.files.isPublic("/storage/a")).toBe(true);
  for (const sent of [...elsewhere, ...own]) expect(JSON.stringify(sent)).not.toContain("the-key");
  expect([elsewhere.length > 0, own.length > 0]).toEqual([true, true]);
});

test.for([[405], [403], [500]])("where HEAD is %i, one byte that comes is a yes", async ([status]) => {
  answers("HEAD", "/signed", status!);
  const seen = answers("GET", "/signed", 206);
  expect(await client.files.isPublic(`${origin}/signed`)).toBe(true);
  expect(JSON.stringify(seen)).toContain("bytes=0-0");
});

test.for([[401], [403], [404], [204]])("%i to both is a no", async ([status]) => {
  answers("HEAD", "/a", status!);
  answers("GET", "/a", status!);
  expect(await client.files.isPublic(`${origin}/a`)).toBe(false);
});

test("redirects are followed, not for ever, and not to this machine", async () => {
  answers("HEAD", "/moved", 302, { location: "https://cdn.example/a" });
  answers("HEAD", "/a", 200, {}, "https://cdn.example");
  expect(await client.files.isPublic(`${origin}/moved`)).toBe(true);

  agent
    .get(origin)
    .intercept({ path: "/round", method: "HEAD" })
    .reply(302, "", { headers: { location: "/round" } })
    .persist();
  expect(await client.files.isPublic(`${origin}/round`)).toBe(false);

  answers("HEAD", "/inside", 302, { location: "http://127.0.0.1:9/a" });
  expect(await client.files.isPublic(`${origin}/inside`)).toBe(false);
});

test.for([
  "http://localhost:3000/a",
  "http://files.localhost/a",
  "http://127.0.0.1/a",
  "http://[::1]/a",
  "http://0.0.0.0/a",
  "ftp://files.example/a",
  "data:text/plain,a",
  "http://[",
])("%s is not asked at all", async (path) => {
  expect(await client.files.isPublic(path)).toBe(false);
});

test("no connection is a no; a caller who gives up hears its own reason", async () => {
  agent.get(origin).intercept({ path: "/down", method: "HEAD" }).replyWithError(new Error("down"));
  expect(await client.files.isPublic(`${origin}/down`)).toBe(false);
  const controller = new AbortController();
  controller.abort(new Error("no longer wanted"));
  await expect(client.files.isPublic(`${origin}/a`, { signal: controller.signal })).rejects.toThrow("no longer wanted");
});

test("an address that does not answer within ten seconds is a no", async () => {
  agent.get(origin).intercept({ path: "/slow", method: "HEAD" }).reply(200, "").delay(1e8);
  const answer = client.files.isPublic(`${origin}/slow`);
  await clock.advance(10_000);
  expect(await answer).toBe(false);
});
