/** A stored job as what its provider is asked, with the bytes of the files that go in. */
import type { ServiceContext } from "../context.ts";
import type { MediaRequest, MediaSource } from "../providers/media/port.ts";
import type { StoredMediaModel } from "./models.ts";
import type { JobOptions } from "./orders.ts";
import type { MediaJobRow } from "./schema.ts";
import { readSourceById } from "./sources.ts";

/** Throws a Fault `media_source` when a file is gone. */
export async function requestOf(
  ctx: Pick<ServiceContext, "db" | "dataDir">,
  job: MediaJobRow,
  { entry }: StoredMediaModel,
): Promise<MediaRequest> {
  const modelKey = entry.key;
  const source = (id: number): Promise<MediaSource> => readSourceById(ctx, job.user_id, id);
  const frame = async (id: number | null): Promise<MediaSource | undefined> => (id === null ? undefined : source(id));
  const options: unknown = JSON.parse(job.options);
  switch (job.kind) {
    case "video": {
      const { prompt, aspectRatio, resolution, seconds, firstFrame, lastFrame, references } = options as JobOptions["video"];
      return {
        kind: "video",
        modelKey,
        prompt,
        aspectRatio,
        resolution: resolution ?? undefined,
        seconds: seconds ?? undefined,
        firstFrame: await frame(firstFrame),
        lastFrame: await frame(lastFrame),
        references: await Promise.all(references.map(source)),
      };
    }
    case "speech": {
      const { text, voice } = options as JobOptions["speech"];
      return { kind: "speech", modelKey, text, voice: voice ?? undefined };
    }
    case "music": {
      const { prompt, seconds, instrumental } = options as JobOptions["music"];
      return { kind: "music", modelKey, prompt, seconds: seconds ?? undefined, instrumental };
    }
    case "transcription": {
      const { fileId } = options as JobOptions["transcription"];
      return { kind: "transcription", modelKey, audio: await source(fileId) };
    }
  }
}

/** What a result is named after. */
export const wordsOf = (request: MediaRequest): string => {
  if (request.kind === "speech") return request.text;
  return request.kind === "transcription" ? request.audio.name : request.prompt;
};
