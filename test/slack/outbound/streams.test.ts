/** Native streams: what people see while they grow, and that nothing is lost however they end. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { harmless } from "../../../adapters/slack/outbound/harmless.ts";
import { emptyDocument, paragraph, type Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import type { Posted } from "../../../src/core/platform.ts";
import { lost, rateLimited, slackError, type Fault } from "../../fakes/slack/faults.ts";
import type { FakeMessage } from "../../fakes/slack/state.ts";
import { markdown } from "../../core/render/arbitraries.ts";
import { general, openOutbound, signal } from "./open.ts";

let under: Awaited<ReturnType<typeof openOutbound>>;
let place: Place;
beforeEach(async () => {
  under = await openOutbound();
  const { ts } = await under.slack.person("U0ANN").says("D0ANN", "a question", { silently: true });
  place = { ...general, channel: "D0ANN", thread: ts };
  under.streamTargets.note(place, "U0ANN", "auto");
});
afterEach(() => under.slack.close());

const growing = (source: string, more: Partial<Document> = {}): Document => ({
  ...emptyDocument,
  state: "working",
  blocks: source === "" ? [] : [paragraph(source)],
  source,
  ...more,
});
const done = (source: string): Document => growing(source, { state: "done" });
const post = (document: Document): Promise<Posted> => under.outbound.post(place, document, "k/0", signal());
/** As the relay does: once more where the platform says so. */
const edit = async (posted: Posted, document: Document): Promise<void> => {
  const more = await under.outbound.edit(posted, document, signal());
  if (more === "again") await under.outbound.edit(posted, document, signal());
};
const answers = (): readonly FakeMessage[] => under.slack.answers(place.channel);
const methods = (): string[] => under.slack.calls.map(({ method }) => method).filter((method) => method.startsWith("chat."));
/** Of the only message: what was streamed, without what keeps it harmless. */
const streamed = (): string | undefined => answers()[0]?.text.replaceAll("\u2060", "");
const blocks = (): string => JSON.stringify(answers()[0]?.blocks);

describe("a native stream", () => {
  it("begins with the first sign, grows by what is new, and ends as an edit of the same message", async () => {
    const stop = [{ action: "stop", label: "Stop", turn: "t1" }];
    const posted = await post(growing("", { status: "Thinking…", actions: stop }));
    expect(answers()[0]?.stream?.tasks.get("status")).toMatchObject({ title: "Thinking…", status: "in_progress" });
    expect(blocks()).toContain("stop t1");
    await edit(posted, growing("One ", { actions: stop }));
    await edit(posted, growing("One **two**", { actions: stop }));
    expect(streamed()).toBe("One **two**");
    expect(answers()[0]?.stream?.tasks.get("status")).toMatchObject({ status: "complete" });
    await edit(posted, done("One **two** three."));
    expect(answers()).toHaveLength(1);
    expect(answers()[0]).toMatchObject({ ts: posted.id, text: "One **two** three.", stream: { state: "stopped" } });
    expect(blocks()).not.toContain("stop t1");
    expect(methods()).toEqual(["chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream", "chat.update"]);
  });

  it("makes no call when there is nothing new to append", async () => {
    const posted = await post(growing("One"));
    await edit(posted, growing("One", { footnotes: [{ index: 1, title: "a", url: null, detail: "" }] }));
    expect(methods()).toEqual(["chat.startStream"]);
  });

  it("shows nothing that Slack could take for more than text", async () => {
    const hostile = "<!channel> <@U0ANN> :tada: ![i](https://e.example/i.png) [l](https://e.example) &lt;!here&gt; www.e.example";
    await post(growing(hostile));
    expect(streamed()).toBe(hostile);
    expect(answers()[0]?.text).not.toMatch(/<[!@#]|:tada|\]\(|:\/\/|&lt|www\.e/);
  });

  it("is harmless in any pieces", () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, cut) => {
        const beginning = text.slice(0, cut % (text.length + 1)).replace(/[\uD800-\uDBFF]$/, "");
        expect(harmless(text).startsWith(harmless(beginning))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("waits for the whole of a character", async () => {
    const posted = await post(growing("One \uD83D"));
    await edit(posted, growing("One \uD83D\uDE00 two"));
    expect(streamed()).toBe("One 😀 two");
  });

  it("ends in favour of an edit when the workspace rewrites what is shown", async () => {
    const posted = await post(growing("As said [1"));
    await edit(posted, growing("As said in the report, it is so."));
    expect(answers()).toMatchObject([{ ts: posted.id, text: "As said in the report, it is so." }]);
    await edit(posted, done("As said in the report, it is so. And more."));
    expect(methods().filter((method) => method === "chat.update")).toHaveLength(2);
  });

  it("goes on by edits before Slack ends it", async () => {
    const posted = await post(growing("One "));
    await under.clock.advance(240_000);
    await edit(posted, growing("One two "));
    expect(answers()[0]?.stream?.state).toBe("stopped");
    await edit(posted, growing("One two three"));
    expect(answers()).toMatchObject([{ ts: posted.id, text: "One two three" }]);
  });

  it.each<[string, string, Fault]>([
    ["Slack has ended it", "chat.appendStream", slackError("message_not_in_streaming_state")],
    ["the asker has stopped it", "chat.appendStream", slackError("stopped_by_user")],
    ["Slack refuses what is appended", "chat.appendStream", slackError("invalid_chunks")],
    ["it is over already when it is to end", "chat.stopStream", slackError("message_not_in_streaming_state")],
    ["Slack refuses the last piece", "chat.stopStream", slackError("invalid_chunks")],
  ])("loses nothing when %s", async (_, method, fault) => {
    const posted = await post(growing("One "));
    under.slack.faults.add(method, fault);
    await edit(posted, growing("One two "));
    await edit(posted, done("One two three"));
    expect(answers()).toMatchObject([{ ts: posted.id, text: "One two three" }]);
  });

  it("repeats nothing when an answer of Slack's is lost", async () => {
    const posted = await post(growing("One "));
    under.slack.faults.add("chat.appendStream", lost);
    await expect(edit(posted, growing("One two "))).rejects.toMatchObject({ outcome: "unknown" });
    under.slack.faults.add("chat.stopStream", lost);
    await expect(edit(posted, growing("One two three "))).rejects.toMatchObject({ outcome: "unknown" });
    await edit(posted, growing("One two three "));
    expect(answers()).toMatchObject([{ ts: posted.id, text: "One two three" }]);
  });

  it("waits where Slack asks for a pause, and goes on", async () => {
    const posted = await post(growing("One "));
    under.slack.faults.add("chat.appendStream", rateLimited("3"));
    await expect(edit(posted, growing("One two "))).rejects.toMatchObject({
      outcome: "rate_limited",
      budgetKey: under.outbound.limits.budgets("edit", place, "working")[0]?.key,
    });
    await edit(posted, growing("One two "));
    expect(streamed()).toBe("One two ");
    expect(methods()).not.toContain("chat.update");
  });

  it("is found by its key while it is open, and taken over by an edit or removed by another process", async () => {
    under.slack.faults.add("chat.startStream", lost);
    await expect(post(growing("One "))).rejects.toMatchObject({ outcome: "unknown" });
    const found = await under.fresh().find(place, "k/0", signal());
    expect(found?.id).toBe(answers()[0]?.ts);
    await under.fresh().edit(found!, done("One two"), signal());
    expect(answers()).toMatchObject([{ text: "One two" }]);
    const second = await under.outbound.post(place, growing("Again"), "k2/0", signal());
    await under.fresh().remove(second, signal());
    expect(answers()).toHaveLength(1);
  });
});

describe("where answers are streamed", () => {
  it("is in threads of direct messages by itself, elsewhere by choice and with the asker named, and nowhere by choice", async () => {
    const { outbound, slack, streamTargets, thread } = under;
    const begun = async (where: Place, key: string): Promise<string | undefined> => {
      await outbound.post(where, growing("One"), key, signal());
      return methods().at(-1);
    };
    expect(await begun(place, "a/0")).toBe("chat.startStream");
    streamTargets.note(thread, "U0ANN", "auto");
    expect(await begun(thread, "b/0")).toBe("chat.postMessage");
    streamTargets.note(thread, "U0ANN", "native");
    expect(await begun(thread, "c/0")).toBe("chat.startStream");
    expect(slack.calls.at(-1)?.args).toMatchObject({ recipient_user_id: "U0ANN", recipient_team_id: "T0ACME" });
    streamTargets.note(place, "U0ANN", "edit");
    expect(await begun(place, "d/0")).toBe("chat.postMessage");
    streamTargets.note({ ...place, thread: null }, "U0ANN", "native");
    expect(await begun({ ...place, thread: null }, "e/0")).toBe("chat.postMessage");
  });

  it("is not where Slack cannot, which is asked once", async () => {
    under.slack.faults.add("chat.startStream", slackError("feature_not_enabled"));
    const posted = await post(growing("One"));
    expect(methods()).toEqual(["chat.startStream", "chat.postMessage"]);
    await edit(posted, done("One two"));
    await under.outbound.post(place, growing("Next"), "n/0", signal());
    expect(methods().slice(2)).toEqual(["chat.update", "chat.postMessage"]);
  });

  it("takes from the budgets of what it will call", async () => {
    const { budgets } = under.outbound.limits;
    const keys = (...asked: Parameters<typeof budgets>): string[] => budgets(...asked).map(({ key }) => key);
    expect(keys("post", place, "working")[0]).toBe("chat.startStream:T0ACME");
    expect(keys("post", place, "done")[0]).toBe("chat.postMessage:T0ACME:D0ANN");
    expect(keys("edit", place, "working")).toEqual(["chat.update:T0ACME"]);
    await post(growing("One"));
    expect(keys("edit", place, "working")).toEqual(["chat.appendStream:T0ACME"]);
    expect(keys("edit", place, "done")).toEqual(["chat.stopStream:T0ACME"]);
    await under.outbound.edit({ place, id: answers()[0]!.ts }, done("One two"), signal());
    expect(streamed()).toBe("One two");
    expect(keys("edit", place, "done")).toEqual(["chat.update:T0ACME"]);
  });
});
