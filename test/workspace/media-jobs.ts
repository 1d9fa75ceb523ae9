/** Media jobs in tests. */
import type { Client } from "../../src/client/index.ts";
import type { JobKind, MediaJob } from "../../src/contract/media.ts";

/** The first bytes of every PNG: enough to be taken for a picture. */
export const pngSignature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The job once it has the status, by asking again and again; the test's own time limit ends it. */
export async function jobWith(client: Client, kind: JobKind, id: number, statuses: readonly string[]): Promise<MediaJob> {
  for (;;) {
    const job = await client.jobs.read(kind, id);
    if (statuses.includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The job once it has ended. */
export const endedJob = (client: Client, kind: JobKind, id: number): Promise<MediaJob> =>
  jobWith(client, kind, id, ["done", "error"]);
