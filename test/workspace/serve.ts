/** A workspace in a process of its own, to be measured and killed: its folder is the first argument. */
import { systemClock } from "../../src/clock.ts";
import { createLog } from "../../src/log.ts";
import { listenService } from "../../src/service/listen.ts";
import { createService } from "../../src/service/service.ts";
import { testProvider } from "./provider.ts";

const service = await createService({
  dataDir: process.argv[2]!,
  providers: [testProvider()],
  clock: systemClock,
  random: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
  log: createLog("silent"),
});
const { url } = await listenService(service, { host: "127.0.0.1", port: 0 });
// Asked by message for the most memory that was ever resident, in bytes.
process.on("message", () => process.send?.({ peak: process.resourceUsage().maxRSS * 1024 }));
process.send?.({ url });
