/** For each tool of pictures and media jobs a call that succeeds, and a look at its answer. */
import { expect } from "vitest";
import type { JobKind, MediaJob } from "../../src/contract/media.ts";
import type { WorkspaceFile } from "../../src/contract/records.ts";
import { faultOf, bytesOf, uploadText, type TestWorkspace } from "./server.ts";
import { endedJob, pngSignature } from "./media-jobs.ts";

type Call = (name: never, args: Record<string, unknown>) => Promise<unknown>;

interface KindTools {
  readonly kind: JobKind;
  readonly begin: string;
  readonly status: string;
  readonly remove: string;
  readonly args: (workspace: TestWorkspace) => Promise<Record<string, unknown>>;
  readonly result: object;
}

const kinds: readonly KindTools[] = [
  {
    kind: "video",
    begin: "generate_video",
    status: "get_video_generation_status",
    remove: "delete_video_generation",
    args: () => Promise.resolve({ prompt: "a ship", duration_seconds: 4 }),
    result: { credit_cost: "6", output_file_data: { name: "a-ship.bin" } },
  },
  {
    kind: "speech",
    begin: "generate_speech",
    status: "get_tts_generation_status",
    remove: "delete_tts_generation",
    args: () => Promise.resolve({ text: "hello" }),
    result: { output_file_data: { name: "hello.bin" } },
  },
  {
    kind: "music",
    begin: "generate_music",
    status: "get_music_generation_status",
    remove: "delete_music_generation",
    args: async (workspace) => ({ prompt: "calm", model_id: await workspace.mediaModelId("test:jingle"), duration_seconds: 9 }),
    result: { credit_cost: "9", output_file_data: { name: "calm.bin" } },
  },
  {
    kind: "transcription",
    begin: "transcribe",
    status: "get_transcription_status",
    remove: "delete_transcription",
    args: async (workspace) => ({ file_id: await uploadText(workspace.owner, "a.wav", "the words") }),
    result: { text: "heard the words" },
  },
];

export function mediaToolsWork(workspace: () => TestWorkspace, callTool: Call): Record<string, () => Promise<void>> {
  const call = callTool as (name: string, args: Record<string, unknown>) => Promise<unknown>;
  const begun = async (of: KindTools): Promise<MediaJob> => (await call(of.begin, await of.args(workspace()))) as MediaJob;

  const ofKind = (of: KindTools): Record<string, () => Promise<void>> => ({
    [of.begin]: async () => {
      const job = await begun(of);
      expect(job).toMatchObject({ status: "queued" });
      expect(await endedJob(workspace().owner, of.kind, job.ID)).toMatchObject({ status: "done", ...of.result });
    },
    [of.status]: async () => {
      const { ID, slug } = await begun(of);
      await endedJob(workspace().owner, of.kind, ID);
      expect(await call(of.status, { id: slug })).toMatchObject({ ID, status: "done", ...of.result });
      const { client } = await workspace().member(`stranger of ${of.begin}`);
      expect(await faultOf(client.tools.call(of.status, { id: ID }))).toMatchObject({
        message: expect.stringContaining("not found") as unknown,
      });
    },
    [of.remove]: async () => {
      const { ID } = await begun(of);
      expect(await call(of.remove, { id: ID })).toEqual({ id: ID, deleted: true });
      expect(await faultOf(workspace().owner.jobs.read(of.kind, ID))).toMatchObject({ kind: "not_found" });
    },
  });

  return {
    generate_image: async () => {
      const file = (await call("generate_image", { prompt: "a lighthouse" })) as WorkspaceFile;
      expect(file).toMatchObject({ name: "a-lighthouse.png", fileType: "code_interpreter_output" });
    },
    edit_image: async () => {
      const source = await workspace().owner.files.upload("a.png", "image/png", bytesOf(pngSignature));
      const file = (await call("edit_image", { prompt: "at night", file_id: source.ID })) as WorkspaceFile;
      expect(file.ID).not.toBe(source.ID);
      expect(workspace().media.requests.at(-1)).toMatchObject({ kind: "image", source: { name: "a.png" } });
    },
    ...Object.assign({}, ...kinds.map(ofKind)),
  };
}
