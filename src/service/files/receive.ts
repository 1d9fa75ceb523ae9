/** Receives the parts of an upload: streamed to disk under random names, complete or not at all. */
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { randomSlug } from "../../contract/identifiers.ts";
import { Fault } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { slots } from "../reading/slots.ts";
import { cleanName } from "./names.ts";
import { objectPath, objectsFolder } from "./store.ts";

/** A part that lies complete on disk. */
export interface Received {
  readonly name: string;
  readonly storageKey: string;
  readonly size: number;
}

type Place = Pick<ServiceContext, "dataDir" | "random">;

/** The name that the interface gives to every part that is a file; all others are ignored. */
const partName = "upload[]";

/** Letters and digits of an object's name: 36^40 cannot be guessed, and the name is all that a download needs. */
export const keyLength = 40;

/** Parts of one request at most, and files that are written at once: many tiny parts would take all memory or file handles. */
const partLimit = 1000;
const writers = 4;

/** The end of an object's name while it is being written. */
export const unfinished = ".part";

const tooLarge = (limit: number): Fault =>
  new Fault("upload_too_large", `expected files of at most ${limit} bytes each, got a larger one; nothing was stored`);

const tooMany = (): Fault =>
  new Fault("upload_too_large", `expected at most ${partLimit} files in one upload, got more; nothing was stored`);

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) from += (await file.write(bytes, from)).bytesWritten;
}

/** Writes one part. A failure is kept until the part has ended: the sender reads no answer before it has sent everything. */
async function write(stream: BusboyFileStream, file: FileHandle, limit: number): Promise<number> {
  let size = 0;
  let failure: Error | undefined;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) failure ??= tooLarge(limit);
    if (failure !== undefined) continue;
    try {
      await writeAll(file, chunk);
    } catch (error) {
      failure = error as Error;
    }
  }
  if (failure !== undefined) throw failure;
  await file.sync();
  return size;
}

async function store(place: Place, stream: BusboyFileStream, name: string, limit: number): Promise<Received> {
  const storageKey = randomSlug(keyLength, place.random);
  const path = objectPath(place, { storage_key: storageKey });
  const draft = path + unfinished;
  let file: FileHandle;
  try {
    file = await open(draft, "wx", 0o600);
  } catch (error) {
    // Read to its end for the same reason as in `write`.
    stream.resume();
    throw error;
  }
  try {
    const size = await write(stream, file, limit);
    await file.close();
    await rename(draft, path);
    return { name: cleanName(name), storageKey, size };
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes stored objects that no record names. */
export async function discard(place: Pick<ServiceContext, "dataDir">, received: readonly Received[]): Promise<void> {
  for (const { storageKey } of received) await rm(objectPath(place, { storage_key: storageKey }), { force: true });
}

/** Keeps a part's failure from being an unhandled one before anybody asks for it. */
const unheard = (): void => undefined;

/**
 * Stores the file parts of a `multipart/form-data` request, in their order. Memory use does not depend on their size.
 * Throws for a body that is no valid multipart, ends early or cannot be written; a Fault `upload_too_large` for a part of
 * more than `limit` bytes, or too many parts. In each case nothing of the request remains on disk.
 */
export async function receive(place: Place, request: Request, limit: number): Promise<Received[]> {
  await mkdir(objectsFolder(place), { recursive: true, mode: 0o700 });
  const parser = new Busboy({
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    // Text fields are ignored, so nothing of them needs to be kept.
    limits: { fieldSize: 1, parts: partLimit },
    // `cleanName` takes paths apart; a name such as ".." must not turn the part into none.
    preservePath: true,
    isPartAFile: (_field, _type, name) => name !== undefined && name !== "",
  });
  const streams: BusboyFileStream[] = [];
  const parts: Array<Promise<Received>> = [];
  const inSlot = slots(writers);
  let complete = true;
  parser.on("partsLimit", () => (complete = false));
  parser.on("file", (field, stream, name) => {
    // A body that ends early fails each of its streams, also one that nobody reads.
    stream.on("error", unheard);
    if (field !== partName) {
      stream.resume();
      return;
    }
    streams.push(stream);
    const part = inSlot(() => store(place, stream, name, limit));
    part.catch(unheard);
    parts.push(part);
  });
  try {
    await pipeline(Readable.fromWeb(request.body ?? new ReadableStream({ start: (body) => body.close() })), parser);
    if (!complete) throw tooMany();
    return await Promise.all(parts);
  } catch (error) {
    for (const stream of streams) stream.destroy(error as Error);
    const ended = await Promise.allSettled(parts);
    await discard(
      place,
      ended.flatMap((part) => (part.status === "fulfilled" ? [part.value] : [])),
    );
    throw error;
  }
}
