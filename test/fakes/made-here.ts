/** The embedded workspace with its own offline makers, on whose path a test puts programs: what platforms are tried against. */
import { systemClock } from "../../src/clock.ts";
import { offlineMedia } from "../../src/service/providers/media/offline/offline.ts";
import { startWorkspace, type TestWorkspace } from "../workspace/server.ts";
import { openPrograms, type FakePrograms } from "./programs.ts";

export interface MadeHere {
  readonly workspace: TestWorkspace;
  readonly programs: FakePrograms;
  close(): Promise<void>;
}

export async function openMadeHere(): Promise<MadeHere> {
  const programs = await openPrograms();
  const workspace = await startWorkspace({ mediaProviders: [offlineMedia(systemClock, programs.folder)] });
  return {
    workspace,
    programs,
    async close() {
      await workspace.close();
      await programs.close();
    },
  };
}

/** Pixels of a PNG, from its head. */
export const widthOf = (png: Uint8Array = new Uint8Array(20)): number => new DataView(png.buffer, png.byteOffset).getUint32(16);
