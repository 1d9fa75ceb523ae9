/** The public conformance runner of the protocol against the tool server, behind the front that serves it. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openFront } from "../../src/front/server.ts";
import { createLog } from "../../src/log.ts";
import { startWorkspace } from "./server.ts";

const require = createRequire(import.meta.url);

/** What applies to a server that offers tools, and only its own. */
const passing = ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"];

test("what applies passes, and nothing else does", async () => {
  const workspace = await startWorkspace();
  onTestFinished(() => workspace.close());
  // The runner can send no key; everything else of its requests goes on as it came.
  const withKey = (request: Request): Promise<Response> => {
    const { url, method, body } = request;
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${workspace.ownerKey}`);
    return workspace.service.fetch(new Request(url, { method, headers, ...(method === "POST" && { body, duplex: "half" }) }));
  };
  const part = { fetch: withKey };
  const rules = { loopback: true };
  const log = createLog("silent");
  const front = await openFront({ host: "127.0.0.1", port: 0, rules, log, partOf: () => ({ part, checkOrigin: true }) });
  onTestFinished(() => front.close());
  const results = await mkdtemp(join(tmpdir(), "parley-conformance-"));
  onTestFinished(() => rm(results, { recursive: true }));

  const runner = require.resolve("@modelcontextprotocol/conformance/dist/index.js");
  const baseline = fileURLToPath(new URL("conformance.yml", import.meta.url));
  const where = ["--url", `http://127.0.0.1:${front.port}/mcp/`, "--output-dir", results];
  // It ends with an error when a scenario does otherwise than the baseline says.
  const { stdout } = await promisify(execFile)(process.execPath, [runner, "server", ...where, "--expected-failures", baseline]);
  const passed = [...stdout.matchAll(/^✓ ([\w-]+): /gm)].map(([, name = ""]) => name);
  expect(passed.toSorted()).toEqual(passing.toSorted());
});
