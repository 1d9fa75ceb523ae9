/** Files as one message, in Slack's three steps: ask where to, put the bytes there, share them all at once. */
import { sleep, type Clock } from "../../../src/clock.ts";
import type { Place } from "../../../src/core/place.ts";
import type { OutboundFile, Posted } from "../../../src/core/platform.ts";
import { WriteFault } from "../../../src/errors.ts";
import { richText, section } from "./block-kit.ts";
import { blockIdOf, findMessage } from "./find.ts";
import { budgetKeyOf } from "./limits.ts";
import { words } from "./phrasing.ts";
import type { SlackWeb } from "./web.ts";

interface Context {
  readonly web: SlackWeb;
  readonly clock: Clock;
}

/** How often Slack is asked for the message of shared files, which appears some time later, and how far apart, in ms. */
const looks = 8;
const lookMs = 750;

/** Until files are shared nobody sees them: a step that may have been done is as good as not done. */
async function unseen<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (thrown) {
    if (!(thrown instanceof WriteFault) || thrown.outcome !== "unknown") throw thrown;
    throw new WriteFault("refused", thrown.message, { cause: thrown });
  }
}

async function put({ web }: Context, place: Place, { name, bytes }: OutboundFile, signal: AbortSignal): Promise<string> {
  const method = "files.getUploadURLExternal";
  const given = await unseen(web.call(method, { filename: name, length: bytes.byteLength }, signal, budgetKeyOf(method, place)));
  const { file_id: id, upload_url: url } = given as { file_id?: unknown; upload_url?: unknown };
  if (typeof id !== "string" || typeof url !== "string") throw new WriteFault("refused", "Slack named no place for a file");
  await unseen(web.upload(url, bytes, signal));
  return id;
}

export async function attachFiles(
  context: Context,
  place: Place,
  files: readonly OutboundFile[],
  key: string,
  signal: AbortSignal,
): Promise<Posted> {
  const { web, clock } = context;
  const uploaded: { id: string; title: string }[] = [];
  for (const file of files) uploaded.push({ id: await put(context, place, file, signal), title: file.name });
  const method = "files.completeUploadExternal";
  const names = files.map(({ name }) => name).join(", ");
  await web.call(
    method,
    {
      files: uploaded,
      channel_id: place.channel,
      ...(place.thread === null ? {} : { thread_ts: place.thread }),
      blocks: [{ ...richText([section(words(`Attached: ${names}`))]), block_id: blockIdOf(key) }],
    },
    signal,
    budgetKeyOf(method, place),
  );
  for (let look = 0; look < looks; look++) {
    if (look > 0) await sleep(clock, lookMs, signal).catch((cause: unknown) => notSeen(cause));
    const found = await findMessage(context, place, key, signal);
    if (found !== undefined) return found;
  }
  return notSeen(undefined);
}

function notSeen(cause: unknown): never {
  throw new WriteFault("unknown", "Slack took the files, and their message is not seen yet", { cause });
}
