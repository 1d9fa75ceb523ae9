/** Replies that end with files of their own. */
import { describe, expect, it } from "vitest";
import { openRelay } from "../../../src/core/relay/relay.ts";
import { WriteFault } from "../../../src/errors.ts";
import { done, place, reply, setUp } from "./set-up.ts";

const picture = { name: "lighthouse.png", mediaType: "image/png", bytes: new Uint8Array([1, 2, 3]) };
const withPicture = done("A lighthouse.", { files: { list: [picture], inThread: false } });
const attachments = ({ platform }: Pick<ReturnType<typeof setUp>, "platform">) =>
  platform.messages.filter(({ files }) => files.length > 0);

describe("a reply with files", () => {
  it("has them behind its words, once, and is settled when they are there", async () => {
    const world = setUp();
    const { clock, relay, platform, journal } = world;
    relay.show(reply("", { status: "Drawing…" }));
    await clock.advance(500);
    relay.show(withPicture);
    await clock.advance(3_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.messages.map(({ files }) => files.map(({ name }) => name))).toEqual([[], ["lighthouse.png"]]);
    expect(journal.at(-1)?.attached).toEqual(platform.messages[1]?.posted);
    relay.show({ ...withPicture, footer: "3 credits" });
    await clock.advance(3_000);
    expect(attachments(world)).toHaveLength(1);
  });

  it.each(["answer_lost", "request_lost", new WriteFault("refused", "no")] as const)(
    "has them once after %s",
    async (outcome) => {
      const world = setUp();
      world.platform.order("attach", outcome);
      world.relay.show(withPicture);
      await world.clock.advance(30_000);
      expect(await world.relay.settled()).toEqual({ kind: "delivered" });
      expect(attachments(world)).toHaveLength(1);
    },
  );

  it("has them once when its owner died before it knew that they were there", async () => {
    const world = setUp();
    const { clock, relay, options, journal } = world;
    relay.show(reply("", { status: "Drawing…" }));
    await clock.advance(500);
    world.platform.order("attach", "answer_lost");
    relay.show(withPicture);
    await clock.advance(600);
    void relay.close();
    expect(attachments(world)).toHaveLength(1);
    const successor = openRelay({ ...options, delivery: journal.at(-1) ?? options.delivery, resumed: true });
    successor.show(withPicture);
    await clock.advance(5_000);
    expect(await successor.settled()).toEqual({ kind: "delivered" });
    expect(attachments(world)).toHaveLength(1);
  });

  it("that stands in a channel has them in the thread that it begins", async () => {
    const channel = { ...place, thread: null };
    const { clock, relay, platform } = setUp({ place: channel });
    relay.show(done("A lighthouse.", { files: { list: [picture], inThread: true } }));
    await clock.advance(3_000);
    const [words, files] = platform.messages;
    expect(words?.posted.place).toEqual(channel);
    expect(files?.posted.place).toEqual({ ...channel, thread: words?.posted.id });
  });

  it("that is too long for messages has its text beside them", async () => {
    const { clock, relay, platform } = setUp({}, { limits: { characters: 600, messagesPerReply: 2 } });
    relay.show(done("A long sentence about ships. ".repeat(200), { files: { list: [picture], inThread: false } }));
    await clock.advance(3_000);
    expect(platform.messages.at(-1)?.files.map(({ name }) => name)).toEqual(["answer.md", "lighthouse.png"]);
  });
});
