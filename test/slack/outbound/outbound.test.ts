import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyDocument, type Block, type Document } from "../../../src/core/document.ts";
import { WriteFault } from "../../../src/errors.ts";
import { lost, rateLimited, serverError, slackError } from "../../fakes/slack/faults.ts";
import { general, openOutbound, saying, signal } from "./open.ts";

let under: Awaited<ReturnType<typeof openOutbound>>;
beforeEach(async () => {
  under = await openOutbound();
});
afterEach(() => under.slack.close());

/** What people read of a message: every text of its blocks. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (name === "text" && typeof one === "string" ? [one] : texts(one)));
}
const shown = (): string[] => under.slack.answers("C0GENERAL").map(({ blocks, files }) => [...texts(blocks), ...files].join(" "));
const failure = (work: Promise<unknown>): Promise<WriteFault> =>
  work.then(
    () => expect.fail("it was done"),
    (thrown: unknown) => thrown as WriteFault,
  );

describe("posting to Slack", () => {
  it("answers in the thread, with nothing that Slack could read, link or preview by itself", async () => {
    const { outbound, slack, thread } = under;
    const posted = await outbound.post(thread, saying("<!channel> see https://a.example/?x=1&y=2"), "k/0", signal());
    const [message] = slack.answers("C0GENERAL", thread.thread);
    expect(message).toMatchObject({ ts: posted.id, unfurls: false });
    expect(texts(message?.blocks)).toEqual(["<!channel> see https://a.example/?x=1&y=2"]);
    expect(message?.text).toBe("&lt;!channel&gt; see https://a.example/?x=1&amp;y=2");
    expect(slack.calls.at(-1)?.args).toMatchObject({
      parse: "none",
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it("knows its message by the key after a restart, in a thread and outside of one, behind many others", async () => {
    const { outbound, fresh, slack, thread } = under;
    const inThread = await outbound.post(thread, saying("in the thread"), "k/0", signal());
    const outside = await outbound.post(general, saying("outside"), "c/0", signal());
    for (let n = 0; n < 230; n++)
      await slack
        .person("U0BEN")
        .says("C0GENERAL", "chatter", { silently: true, ...(n < 205 ? { thread: thread.thread! } : {}) });
    expect(await fresh().find(thread, "k/0", signal())).toEqual(inThread);
    expect(await fresh().find(general, "c/0", signal())).toEqual(outside);
    expect(await fresh().find(thread, "k/1", signal())).toBeUndefined();
    expect(await fresh().find(general, "k/0", signal())).toBeUndefined();
  });

  it("looks no further back than the message that is answered", async () => {
    const { fresh, slack, thread } = under;
    await fresh().find(thread, `slack:T0ACME:C0GENERAL:${thread.thread}:message/0`, signal());
    expect(slack.calls.at(-1)?.args["oldest"]).toBe(thread.thread);
  });

  it("keeps the key through edits", async () => {
    const { outbound, fresh, thread } = under;
    const posted = await outbound.post(thread, saying("first"), "k/0", signal());
    await outbound.edit(posted, saying("second"), signal());
    expect(shown()).toEqual(["second"]);
    expect(under.slack.answers("C0GENERAL")[0]?.edited).toBe(false);
    expect(await fresh().find(thread, "k/0", signal())).toEqual(posted);
  });

  it("sends the words plainly when Slack refuses their form", async () => {
    const { outbound, slack, thread, warnings } = under;
    const list: Block = {
      type: "list",
      ordered: false,
      children: [{ type: "listItem", children: [{ type: "paragraph", children: [{ type: "text", value: "an item" }] }] }],
    };
    slack.faults.add("chat.postMessage", slackError("invalid_blocks"));
    await outbound.post(thread, { ...emptyDocument, blocks: [list] }, "k/0", signal());
    expect(shown()).toEqual(["an item"]);
    expect(JSON.stringify(slack.answers("C0GENERAL")[0]?.blocks)).not.toContain("rich_text_list");
    expect(warnings).toEqual([{ slackError: "invalid_blocks" }]);
  });

  it("removes a message once, and takes one that is gone as removed", async () => {
    const { outbound, thread } = under;
    const posted = await outbound.post(thread, saying("surplus"), "k/1", signal());
    await outbound.remove(posted, signal());
    await outbound.remove(posted, signal());
    expect(shown()).toEqual([]);
    expect((await failure(outbound.edit(posted, saying("late"), signal()))).outcome).toBe("gone");
    await outbound.post(thread, saying("needed after all"), "k/1", signal());
    expect(shown()).toEqual(["needed after all"]);
  });

  it("whispers to one person in the thread", async () => {
    const { outbound, slack, thread } = under;
    await outbound.whisper(thread, { id: "U0ANN", name: "Ann" }, saying("for you"), signal());
    expect(slack.state.ephemerals).toMatchObject([{ user: "U0ANN", channel: "C0GENERAL", thread_ts: thread.thread }]);
    expect(shown()).toEqual([]);
  });
});

describe("attaching files in Slack", () => {
  const files = [
    { name: "answer.md", mediaType: "text/markdown", bytes: Buffer.from("# Whole") },
    { name: "data.csv", mediaType: "text/csv", bytes: Buffer.from("a,b") },
  ];

  it("shares all of them as one message of the thread, found again by its key", async () => {
    const { outbound, fresh, slack, thread } = under;
    const posted = await outbound.attach(thread, files, "k/file", signal());
    expect(await outbound.attach(thread, files, "k/file", signal())).toEqual(posted);
    expect(slack.answers("C0GENERAL", thread.thread)).toHaveLength(1);
    expect(shown()[0]).toContain("answer.md, data.csv");
    expect([...slack.state.files.values()].map(({ bytes }) => Buffer.from(bytes ?? []).toString())).toEqual(["# Whole", "a,b"]);
    expect(await fresh().find(thread, "k/file", signal())).toEqual(posted);
  });

  it("tells an upload that nobody saw from one whose outcome is not known", async () => {
    const { outbound, slack, thread } = under;
    slack.faults.add("files.getUploadURLExternal", lost);
    expect((await failure(outbound.attach(thread, files, "k/file", signal()))).outcome).toBe("refused");
    slack.faults.add("files.completeUploadExternal", lost);
    expect((await failure(outbound.attach(thread, files, "k/file", signal()))).outcome).toBe("unknown");
    expect(await outbound.find(thread, "k/file", signal())).toBeDefined();
  });

  it("waits for the message to appear", async () => {
    const { outbound, slack, thread, clock } = under;
    slack.faults.add("conversations.replies", {
      when: "before",
      how: { status: 200, body: '{"ok":true,"messages":[]}', headers: { "content-type": "application/json" } },
    });
    const attaching = outbound.attach(thread, files, "k/file", signal());
    while (!slack.calls.some(({ method }) => method === "conversations.replies")) await clock.advance(0);
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(1_000);
    expect((await attaching).place).toEqual(thread);
  });
});

describe("what Slack answers", () => {
  const outcomes = async (method: string, ...faults: Parameters<typeof under.slack.faults.add>[1][]): Promise<string[]> => {
    const seen: string[] = [];
    for (const fault of faults) {
      under.slack.faults.add(method, fault);
      seen.push((await failure(under.outbound.post(under.thread, saying("x"), "k/0", signal()))).outcome);
    }
    return seen;
  };

  it("is told apart: done, not done, not known, never again", async () => {
    const { slack } = under;
    expect(await outcomes("chat.postMessage", lost, serverError("after", 502), slackError("internal_error"))).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
    expect(await outcomes("chat.postMessage", slackError("invalid_arguments"), slackError("invalid_auth"))).toEqual([
      "refused",
      "refused",
    ]);
    expect(await outcomes("chat.postMessage", slackError("is_archived"), slackError("restricted_action_thread_locked"))).toEqual([
      "gone",
      "gone",
    ]);
    expect(slack.commits.filter(({ method }) => method === "chat.postMessage")).toHaveLength(2);
  });

  it("is never a whole page of something else", async () => {
    under.slack.faults.add("chat.postMessage", {
      when: "before",
      how: { status: 200, body: "<html>Sign in with your secret</html>", headers: { "content-type": "text/html" } },
    });
    const fault = await failure(under.outbound.post(under.thread, saying("x"), "k/0", signal()));
    expect(fault.outcome).toBe("unknown");
    expect(fault.message).not.toContain("secret");
  });

  it("names the budget that a 429 closes, and how long, whatever the header says", async () => {
    const { outbound, slack, thread } = under;
    slack.faults.add("chat.postMessage", rateLimited("5"), rateLimited("82721"), rateLimited("soon"), rateLimited("-1"));
    const seen: [string | undefined, number][] = [];
    for (let n = 0; n < 4; n++) {
      const { outcome, budgetKey, retryAfterMs } = await failure(outbound.post(thread, saying("x"), "k/0", signal()));
      expect(outcome).toBe("rate_limited");
      seen.push([budgetKey, retryAfterMs]);
    }
    const key = outbound.limits.budgets("post", thread)[0]?.key;
    expect(seen).toEqual([
      [key, 5_000],
      [key, 82_721_000],
      [key, 0],
      [key, -1_000],
    ]);
    expect(slack.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(4);
  });

  it("is not waited for beyond the deadline, nor when nobody wants it any more", async () => {
    const { outbound, slack, thread, clock } = under;
    slack.faults.always("chat.postMessage", { when: "before", how: "silence" });
    const late = failure(outbound.post(thread, saying("x"), "k/0", signal()));
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(60_000);
    expect((await late).outcome).toBe("unknown");
    const leaving = new AbortController();
    const left = failure(outbound.post(thread, saying("x"), "k/0", leaving.signal));
    while (clock.pending === 0) await clock.advance(0);
    leaving.abort(new Error("lease lost"));
    expect((await left).outcome).toBe("unknown");
    expect((await failure(outbound.post(thread, saying("x"), "k/0", leaving.signal))).outcome).toBe("refused");
    expect(clock.pending).toBe(0);
  });

  it("is waited for no longer than a call has, by the given clock", async () => {
    const { slack, web, clock } = under;
    slack.faults.always("views.open", { when: "before", how: "silence" });
    const late = failure(web.callWithin(2_500, "views.open", { trigger_id: "t", view: {} }));
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(2_499);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect((await late).outcome).toBe("unknown");
    expect(clock.pending).toBe(0);
  });

  it("is certainly nothing when no connection is made", async () => {
    await under.slack.close();
    expect((await failure(under.outbound.post(under.thread, saying("x"), "k/0", signal()))).outcome).toBe("refused");
  });
});

describe("a document in Slack", () => {
  const full: Document = {
    ...saying("The answer."),
    state: "done",
    footnotes: [
      { index: 1, title: "Report <2026>", url: "https://a.example/r", detail: "page 3" },
      { index: 2, title: "notes.txt", url: null, detail: "" },
    ],
    footer: "Fast model · 2.1 s · 0.02 credits",
    actions: [
      { action: "helpful", label: "Good answer", turn: "t1" },
      { action: "unhelpful", label: "Bad answer", turn: "t1" },
    ],
  };

  it("ends with its sources, the quiet line and the feedback buttons", async () => {
    const { outbound, slack, thread } = under;
    await outbound.post(thread, full, "k/0", signal());
    const blocks = slack.answers("C0GENERAL")[0]?.blocks ?? [];
    expect(blocks.map(({ type }) => type)).toEqual(["rich_text", "rich_text", "context", "context_actions"]);
    expect(texts(blocks[1]).join("")).toBe("[1] Report <2026> (a.example) · page 3\n[2] notes.txt");
    expect(texts(blocks[2])).toEqual(["Fast model · 2.1 s · 0.02 credits"]);
    expect(blocks[3]).toMatchObject({ elements: [{ type: "feedback_buttons", positive_button: { value: "helpful t1" } }] });
  });

  it("has a button to stop while it works, and one to try again after a failure", async () => {
    const { outbound, slack, thread } = under;
    const working: Document = {
      ...saying("So far"),
      state: "working",
      status: "Thinking…",
      actions: [{ action: "stop", label: "Stop", turn: "t1" }],
    };
    const posted = await outbound.post(thread, working, "k/0", signal());
    const blocks = () => slack.answers("C0GENERAL")[0]?.blocks ?? [];
    expect(blocks().map(({ type }) => type)).toEqual(["rich_text", "context", "actions"]);
    const retry = { action: "retry", label: "Try again", turn: "t1" };
    await outbound.edit(posted, { ...working, state: "failed", status: null, notice: "It broke.", actions: [retry] }, signal());
    expect(texts(blocks())).toEqual(["So far", "⚠️ It broke.", "Try again"]);
  });

  it("is never empty", async () => {
    const { outbound, thread } = under;
    await outbound.post(thread, { ...emptyDocument, state: "working" }, "k/0", signal());
    expect(shown()).toEqual(["…"]);
  });
});
