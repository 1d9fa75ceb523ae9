/** Runs programs that may be installed beside Parley: no shell, arguments as they are, bounded in time and output. */
import { spawn } from "node:child_process";
import type { Clock } from "../../../../clock.ts";
import { Fault } from "../../../../errors.ts";
import { slots } from "../../../reading/slots.ts";

/** Programs that run at once; the others wait. */
const atOnce = 2;
/** Bytes of output at most that are taken. */
const mostOutput = 200 * 2 ** 20;
/** Bytes of a program's complaint that are kept for the log. */
const mostComplaint = 2000;

export interface Program {
  /** As it is called: `ffmpeg`. */
  readonly name: string;
  /** Of a sentence that tells that it is missing: `Films`. */
  readonly purpose: string;
  /** Ms until it is ended by force. */
  readonly limitMs: number;
}

export interface Programs {
  /**
   * What the program writes to its output. Throws a Fault `provider_missing` when it is not installed, `provider_silent`
   * when it takes too long, `provider_failed` when it fails; the signal's reason when that is aborted.
   */
  run(program: Program, args: readonly string[], input: Uint8Array, signal: AbortSignal): Promise<Buffer>;
}

const missing = ({ name, purpose }: Program): Fault =>
  new Fault(
    "provider_missing",
    `${purpose} need ${name}, which is not installed where the workspace runs. Install it, and retry.`,
  );

/** @param path folders to look for programs in, as the environment's `PATH` has them */
export function programsOn(clock: Clock, path: string): Programs {
  const inSlot = slots(atOnce);

  const start = (program: Program, args: readonly string[], input: Uint8Array, signal: AbortSignal): Promise<Buffer> => {
    const late = new AbortController();
    const cancel = clock.after(program.limitMs, () => late.abort());
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const child = spawn(program.name, args, {
      // Nothing else of the environment: it holds keys.
      env: { PATH: path, LANG: "C.UTF-8" },
      stdio: ["pipe", "pipe", "pipe"],
      signal: AbortSignal.any([signal, late.signal]),
      killSignal: "SIGKILL",
    });
    const output: Buffer[] = [];
    let size = 0;
    let complaint = "";
    child.stdout.on("data", (part: Buffer) => {
      size += part.length;
      if (size > mostOutput) late.abort();
      else output.push(part);
    });
    child.stderr.on("data", (part: Buffer) => (complaint = (complaint + part.toString()).slice(0, mostComplaint)));
    // A program that ends before it has read everything says by its exit whether that was right.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", (cause: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (cause.code === "ENOENT") reject(missing(program));
      else if (late.signal.aborted)
        reject(new Fault("provider_silent", `${program.name} took too long or made too much, and was ended.`));
      else reject(new Fault("provider_failed", `${program.name} could not be started.`, { cause }));
    });
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Fault("provider_failed", `${program.name} failed.`, { cause: new Error(complaint.trim()) }));
    });
    return promise.finally(cancel);
  };

  return { run: (program, args, input, signal) => inSlot(() => start(program, args, input, signal), signal) };
}
