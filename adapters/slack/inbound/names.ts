/** Names that a message mentions by id, as they stand in stored runs until `complete` asks Slack for them. */

/** What a mention by id stands for. */
export interface Reference {
  readonly kind: "user" | "channel" | "usergroup";
  readonly id: string;
}

const marks = { user: "@", channel: "#", usergroup: "!" } as const;
const kinds = { "@": "user", "#": "channel", "!": "usergroup" } as const;
const written = /^<([@#!])([A-Z0-9]+)>$/;

/** The `name` of a run until it is known. */
export const referenceText = ({ kind, id }: Reference): string => `<${marks[kind]}${id}>`;

/** Undefined where a run's name is a name already. */
export function readReference(name: string): Reference | undefined {
  const found = written.exec(name);
  return found === null ? undefined : { kind: kinds[found[1] as keyof typeof kinds], id: found[2] ?? "" };
}
