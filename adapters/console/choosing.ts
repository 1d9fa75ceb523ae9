/** What a person chooses in the menu of a message: a command of the table, about the message's files. */
import type { Clock } from "../../src/clock.ts";
import { takenFiles, type Directory } from "../../src/core/commands/types.ts";
import type { Form } from "../../src/core/forms.ts";
import type { Inbox, Person } from "../../src/core/inbound.ts";
import { inboundFiles, type FileStore } from "./files.ts";
import { keyOf, personId, placeOf } from "./inbound.ts";
import type { MessageLog } from "./message-log.ts";
import { notStored, refused, type Refused } from "./refusals.ts";

export interface Choosing {
  /**
   * @param choice made by the page: the same id is the same choice
   * @returns a form that the page opens, where the command asks first
   */
  choose(choice: string, message: string, command: string): Promise<"chosen" | { readonly form: Form } | Refused>;
}

export interface ChoosingOptions {
  readonly directory: Directory;
  /** Null while nothing is taken in. */
  readonly inbox: () => Inbox | null;
  readonly log: MessageLog;
  readonly files: FileStore;
  readonly clock: Clock;
}

export function createChoosing({ directory, inbox, log, files, clock }: ChoosingOptions): Choosing {
  return {
    async choose(choice, message, command) {
      const to = inbox();
      if (to === null) return refused(503, "Not done: Parley is starting or stopping. Try again in a moment.");
      const row = await log.one(message);
      if (row === undefined || row.removed === 1 || row.pending === 1) return refused(404, "This message is gone.");
      const info = directory.commands.find(({ name }) => name === command);
      if (info?.menu === undefined) return refused(400, "There is no such command in the menu of a message.");
      const channel = await log.channel(row.channel);
      const direct = channel?.kind === "direct" ? { direct: true } : {};
      const thread = row.thread ?? (channel?.kind === "direct" ? null : row.id);
      const place = placeOf(row.channel, thread);
      const author: Person = { id: personId, name: await log.personName() };
      const taken = takenFiles(info.menu, inboundFiles(await files.of([row.id])));
      if (info.menu.opensForm === true && taken.length > 0) {
        const form = await directory.formOf(command, { place, person: author, files: taken, ...direct });
        // Why there is none is the command's to say.
        if (form !== undefined) return { form };
      }
      const key = keyOf(row, `menu:${choice}`);
      const about = { options: {}, text: "", files: taken, chosen: true as const, ...direct };
      try {
        await to.receive({ kind: "command", key, place, author, at: clock.now(), name: command, ...about });
        return "chosen";
      } catch (cause) {
        return notStored(cause);
      }
    },
  };
}
