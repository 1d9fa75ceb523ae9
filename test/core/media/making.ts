/** The core with somebody who has things made. */
import { channel, commands, createWorld, textOf, type World } from "../engine.ts";
import type { InboundCommand } from "../../../src/core/inbound.ts";

export type MediaWorld = World & {
  /** A command in the channel. */
  asks(key: string, name: string, text: string, over?: Partial<InboundCommand>): Promise<void>;
  callsOf(name: string): unknown[];
  /** The ids of the jobs that there are. */
  jobs(): number[];
  /** What was attached: place's thread, and each file's words. */
  attached(): Array<{ thread: string | null; files: string[] }>;
  /** What somebody was told alone. */
  told(): string[];
};

export async function mediaWorld(files: Record<string, Uint8Array> = {}): Promise<MediaWorld> {
  const world = await createWorld(files);
  return Object.assign(world, {
    async asks(key: string, name: string, text: string, over: Partial<InboundCommand> = {}) {
      await world.receive(commands(key, name, text, { place: channel, ...over }));
      await world.run();
    },
    callsOf: (name: string) => world.workspace.calls.filter(({ call }) => call === name).map(({ body }) => body),
    jobs: () => [...world.workspace.media.made.keys()],
    attached: () =>
      world.platform.messages
        .filter((message) => message.files.length > 0)
        .map((message) => ({
          thread: message.posted.place.thread,
          files: message.files.map(({ bytes }) => new TextDecoder().decode(bytes)),
        })),
    told: () => world.platform.whispers.map(({ document }) => textOf(document)),
  });
}
