/** A workspace in a process of its own, which reports the most memory that it ever used: the other half of the test of large uploads. */
import { openRooms } from "../rooms.ts";

const rooms = await openRooms();
const { key } = await rooms.member("ada");
process.once("message", () => {
  void rooms.close().then(() => {
    process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1024 });
    process.disconnect();
  });
});
process.send?.({ url: rooms.url, key });
