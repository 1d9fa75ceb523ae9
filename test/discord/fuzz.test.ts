/** Whatever Discord's gateway sends, Parley takes no harm, posts nothing astray, and goes on. `PROPERTY_RUNS` says how many are tried. */
import { afterEach, expect, it } from "vitest";
import { fuzzCases, mutate } from "../fakes/mutations.ts";
import type { Dispatch } from "../fakes/discord/gateway.ts";
import { createRandom } from "../soak/random.ts";
import { openWorld, type World } from "./world.ts";

const seed = 20_261;
/** So many are sent before it is waited for that they have been read. */
const batch = 100;
const fuzzed = /^(MESSAGE_|INTERACTION_|THREAD_CREATE|TYPING)/;
let world: World;
afterEach(() => world.close());

/** What Discord sends when people do what they do. */
async function record({ fake, general, ann, ben }: World): Promise<readonly Dispatch[]> {
  const recorded: Dispatch[] = [];
  const gateway = fake.gateway as { dispatch: (event: Dispatch) => void };
  const { dispatch } = gateway;
  gateway.dispatch = (event) => {
    if (fuzzed.test(event.type)) recorded.push(structuredClone(event));
    dispatch(event);
  };
  const said = ann.says(general, `${fake.mention} **hello** <#${general.id}> <@${ben.user.id}> <:wave:12>`);
  ann.says(fake.direct(ann), "a file", { files: [{ name: "a.txt", bytes: Buffer.from("a"), type: "text/plain" }] });
  await fake.acknowledged(ann.runs(general, "models"));
  await fake.acknowledged(ann.types(general, "model", "model", "th"));
  await fake.acknowledged(ann.chooses(said, "Ask Parley"));
  ann.edits(said, `${fake.mention} hello again`);
  ann.deletes(said);
  gateway.dispatch = dispatch;
  return recorded;
}

it(
  "falls over nothing, blocks no channel, and posts only where it was spoken to",
  { timeout: 300_000 + fuzzCases * 20 },
  async () => {
    world = await openWorld();
    const { fake, general, ann, ben, workspace, received, until, answers, shows } = world;
    // As in a conversation of a team: turns end without an answer, so that none pile up.
    workspace.answers = false;
    const recorded = await record(world);
    expect(recorded.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "INTERACTION_CREATE"]),
    );
    const direct = fake.direct(ann);
    const elsewhere = fake.text(world.guild, "elsewhere");
    const random = createRandom(seed);
    const passes = async (mark: string): Promise<void> => {
      const before = received.length;
      ann.says(direct, mark);
      await until(() => received.slice(before).some((one) => one.kind === "message" && JSON.stringify(one.runs).includes(mark)));
    };
    for (let index = 0; index < fuzzCases; index++) {
      const event = random.pick(recorded as [Dispatch, ...Dispatch[]]);
      const { id } = event.data as { readonly id: string };
      // One that is known already would not be read to its end.
      const data = {
        ...(event.data as object),
        id: event.type.endsWith("_CREATE") ? String(BigInt(id) + BigInt(index + 1)) : id,
      };
      fake.gateway.dispatch({ ...event, data: mutate(data, () => random.next()) as Dispatch["data"] });
      if (index % batch === batch - 1) await passes(`still there ${index}`);
    }
    await passes("at the end");
    expect(fake.messages(elsewhere)).toEqual([]);
    // Neither the channel’s queue nor its lane is blocked, and what is left to do for one person keeps nobody else waiting.
    workspace.answers = true;
    const said = ben.says(general, `${fake.mention} still there?`);
    while (!(await answers("Yes, still here.")).includes("still there?"));
    await shows(said.id, "Yes, still here.");
  },
);
