/** What the page asks for: JSON in and out, every refusal a sentence that the page shows. */
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import type { Directory, SuggestionSource } from "../../src/core/commands/types.ts";
import type { Choosing } from "./choosing.ts";
import { isChannelName, isId } from "./ids.ts";
import type { Feed } from "./feed.ts";
import { personId, placeOf } from "./inbound.ts";
import { consoleLimits } from "./limits.ts";
import type { MessageLog } from "./message-log.ts";
import type { FileStore } from "./files.ts";
import { refused, type Refused } from "./refusals.ts";
import type { MessageRow } from "./schema.ts";
import type { Sending } from "./sending.ts";
import { channelView, viewsOf } from "./views.ts";
import type { Whispers } from "./whispers.ts";

interface Options {
  readonly log: MessageLog;
  readonly files: FileStore;
  readonly sending: Sending;
  readonly choosing: Choosing;
  readonly whispers: Whispers;
  readonly feed: Feed;
  readonly directory: Directory;
}

/** Messages of one page of a channel. */
const pageSize = 50;
/** Far more than a text at its limit: one that is only too long is read, so that it can be told how long it is. */
const jsonBytes = 8 * 1024 * 1024;

const sources: readonly SuggestionSource[] = ["models", "agents", "projects", "prompts", "tools", "video_models", "music_models"];

type Body = Readonly<Record<string, unknown>>;

async function bodyOf(c: Context): Promise<Body> {
  const body: unknown = await c.req.json().catch(() => {
    throw new HTTPException(400, { message: "expected JSON" });
  });
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HTTPException(400, { message: "expected a JSON object" });
  }
  return body as Body;
}

/** @throws a 400 that names the field */
function field<T>(body: Body, name: string, expected: string, check: (value: unknown) => value is T): T {
  const value = body[name];
  if (!check(value)) throw new HTTPException(400, { message: `expected ${name} to be ${expected}` });
  return value;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const answerRefusal = (c: Context, { status, error }: Refused): Response => c.json({ error }, status);

export function createApi({ log, files, sending, choosing, whispers, feed, directory }: Options): Hono {
  const api = new Hono();
  const answerMessage = async (c: Context, result: MessageRow | Refused): Promise<Response> =>
    "error" in result ? answerRefusal(c, result) : c.json({ message: (await viewsOf([result], log, files))[0] });

  api.use(
    bodyLimit({ maxSize: jsonBytes, onError: (c) => c.json({ error: "Too long to send. Attach it as a file instead." }, 413) }),
  );
  api.onError((error, c) =>
    error instanceof HTTPException ? c.json({ error: `Not understood: ${error.message}.` }, error.status) : Promise.reject(error),
  );

  api.get("/state", async (c) => {
    const [name, channels] = await Promise.all([log.personName(), log.channels()]);
    return c.json({
      person: { id: personId, name },
      channels: channels.map(channelView),
      commands: directory.commands,
      whispers: whispers.all(),
      fileBytes: consoleLimits.fileBytes,
    });
  });

  api.get("/channels/:id/messages", async (c) => {
    const channel = await log.channel(c.req.param("id"));
    if (channel === undefined) return answerRefusal(c, refused(404, "There is no such channel."));
    const before = c.req.query("before");
    if (before !== undefined && !/^\d{1,15}$/.test(before))
      return answerRefusal(c, refused(400, "expected before to be a number"));
    const { rows, more } = await log.roots(channel.id, before === undefined ? null : Number(before), pageSize);
    return c.json({ messages: await viewsOf(rows, log, files), more });
  });

  api.get("/threads/:id", async (c) => {
    const root = await log.one(c.req.param("id"));
    if (root === undefined || root.pending === 1) return answerRefusal(c, refused(404, "There is no such thread."));
    return c.json({ messages: await viewsOf([root, ...(await log.replies(root.id))], log, files) });
  });

  api.get("/suggestions", async (c) => {
    const source = sources.find((one) => one === c.req.query("source"));
    if (source === undefined) return answerRefusal(c, refused(400, `expected source to be one of ${sources.join(", ")}`));
    const place = placeOf(c.req.query("channel") ?? "general", c.req.query("thread") ?? null);
    const person = { id: personId, name: await log.personName() };
    return c.json({ suggestions: await directory.suggest(source, (c.req.query("q") ?? "").slice(0, 100), place, person) });
  });

  api.post("/messages", async (c) => {
    const body = await bodyOf(c);
    const result = await sending.send({
      id: field(body, "id", "8 to 64 letters, digits, - or _", isId),
      channel: field(body, "channel", "a channel's id", isText),
      thread: field(body, "thread", "a message's id or null", isTextOrNull),
      text: field(body, "text", "text", isText),
      files: field(body, "files", "a list of file ids", isTexts),
    });
    return answerMessage(c, result);
  });

  api.patch("/messages/:id", async (c) => {
    const body = await bodyOf(c);
    const edit = field(body, "edit", "8 to 64 letters, digits, - or _", isId);
    return answerMessage(c, await sending.edit(c.req.param("id"), edit, field(body, "text", "text", isText)));
  });

  api.delete("/messages/:id", async (c) => answerMessage(c, await sending.remove(c.req.param("id"))));

  api.post("/messages/:id/menu", async (c) => {
    const body = await bodyOf(c);
    const choice = field(body, "id", "8 to 64 letters, digits, - or _", isId);
    const result = await choosing.choose(choice, c.req.param("id"), field(body, "command", "a command's name", isText));
    if (result === "chosen") return c.json({}, 202);
    return "error" in result ? answerRefusal(c, result) : c.json(result);
  });

  api.post("/actions", async (c) => {
    const body = await bodyOf(c);
    const result = await sending.press(
      field(body, "id", "8 to 64 letters, digits, - or _", isId),
      field(body, "message", "a message's id", isText),
      field(body, "action", "the action of a button", isText),
      body["turn"] === undefined ? null : field(body, "turn", "the turn of a button", isText),
    );
    return result === "pressed" ? c.json({}, 202) : answerRefusal(c, result);
  });

  api.delete("/whispers/:id", (c) => {
    whispers.dismiss(c.req.param("id"));
    return c.body(null, 204);
  });

  api.post("/channels", async (c) => {
    const name = field(await bodyOf(c), "name", "lower-case letters, digits, - or _, at most 64", isChannelName);
    const channel = await log.addChannel(name);
    if (channel === undefined) return answerRefusal(c, refused(409, `There is a channel #${name} already.`));
    const view = channelView(channel);
    feed.publish({ type: "channel", channel: view });
    return c.json({ channel: view }, 201);
  });

  api.put("/person", async (c) => {
    const name = field(await bodyOf(c), "name", "text", isText)
      .replace(/[\p{C}\s]+/gu, " ")
      .trim();
    if (name === "" || name.length > 60) return answerRefusal(c, refused(400, "A name has 1 to 60 characters."));
    await log.setPersonName(name);
    feed.publish({ type: "person", name });
    return c.json({ person: { id: personId, name } });
  });

  return api;
}
