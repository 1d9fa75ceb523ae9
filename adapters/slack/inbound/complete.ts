/** Adds to what came in what has to be asked of Slack: names, who is a stranger, the thread's earlier messages. */
import type { ContextMessage, Inbound, InboundMessage, Person, Run } from "../../../src/core/inbound.ts";
import type { ChatPlatform } from "../../../src/core/platform.ts";
import { Fault, WriteFault } from "../../../src/errors.ts";
import { objectsIn, textIn, timeOf, type Payload } from "../payload.ts";
import type { SlackWeb } from "../outbound/web.ts";
import type { Identity } from "./address.ts";
import { isOwn } from "./author.ts";
import { readMessage } from "./mrkdwn.ts";
import { readReference } from "./names.ts";
import { isAnswer, type People } from "./people.ts";

export interface Completing {
  readonly web: SlackWeb;
  readonly people: People;
  readonly self: Identity;
  /** Other workspaces whose people are no strangers. */
  readonly friends: readonly string[];
  /** User groups that decide who is answered. */
  readonly groups: readonly string[];
}

/** Earlier thread messages that go along: the newest, within both bounds. */
const contextMessages = 50;
const contextCharacters = 20_000;
/** Messages asked of Slack at once; new apps outside of its marketplace get 15 a call. */
const pageSize = 200;
const pages = 5;

/** A thread that Slack does not show Parley goes along as nothing. */
const unreadable = (thrown: unknown): ContextMessage[] => {
  if (isAnswer(thrown)) return [];
  throw thrown;
};

export function createCompletion({ web, people, self, friends, groups }: Completing): ChatPlatform["complete"] {
  const named = async (run: Run, signal: AbortSignal): Promise<Run> => {
    const reference = "name" in run ? readReference(run.name) : undefined;
    if (reference === undefined) return run;
    switch (reference.kind) {
      case "user":
        return { name: `@${(await people.profile(reference.id, signal))?.name ?? "somebody"}` };
      case "channel":
        return { name: (await people.channelName(reference.id, signal)) ?? "#a-channel" };
      case "usergroup":
        return { name: (await people.groupName(reference.id, signal)) ?? "@a-group" };
    }
  };
  const known = async (author: Person, signal: AbortSignal): Promise<Person> => {
    const profile = await people.profile(author.id, signal);
    // Whom Slack does not show is not let in as a member.
    if (profile === undefined) return { ...author, external: true };
    const stranger = profile.stranger || (profile.team !== "" && profile.team !== self.team);
    const external = profile.guest || (stranger && !friends.includes(profile.team));
    const theirs = await people.groupsOf(author.id, groups, signal);
    return {
      id: author.id,
      name: profile.name || author.name,
      ...(external ? { external } : {}),
      ...(profile.guest ? { guest: true } : {}),
      ...(theirs.length === 0 ? {} : { groups: theirs }),
    };
  };

  const textOf = async (message: Payload, signal: AbortSignal): Promise<string> => {
    const runs = await Promise.all(readMessage(message, self.user).runs.map((run) => named(run, signal)));
    return runs.map((run) => ("typed" in run ? run.typed : "name" in run ? run.name : run.quoted)).join("");
  };

  const earlier = async (message: InboundMessage, signal: AbortSignal): Promise<ContextMessage[]> => {
    const { channel, thread } = message.place;
    const found: Payload[] = [];
    let cursor = "";
    for (let page = 0; page < pages; page++) {
      const answer: Payload = await web.call(
        "conversations.replies",
        { channel, ts: thread, latest: message.message, limit: pageSize, ...(cursor === "" ? {} : { cursor }) },
        signal,
      );
      found.push(...objectsIn(answer, "messages"));
      cursor = textIn((answer["response_metadata"] ?? {}) as Payload, "next_cursor");
      if (cursor === "") break;
    }
    const before = found.filter(
      (one) => timeOf(textIn(one, "ts")) <= message.at && textIn(one, "ts") !== message.message && !isOwn(one, self),
    );
    const context: ContextMessage[] = [];
    let left = contextCharacters;
    for (const one of before.slice(-contextMessages).toReversed()) {
      const text = await textOf(one, signal);
      if (text.trim() === "") continue;
      left -= text.length;
      if (left < 0) break;
      const user = textIn(one, "user");
      const author = user === "" ? textIn(one, "username") : (await people.profile(user, signal))?.name;
      context.unshift({
        author: author === undefined || author === "" ? "somebody" : author,
        text,
        at: timeOf(textIn(one, "ts")),
      });
    }
    return context;
  };

  return async (inbound: Inbound, signal: AbortSignal): Promise<Inbound> => {
    try {
      const author = await known(inbound.author, signal);
      const readers = inbound.direct === true ? undefined : await people.readers(inbound.place.channel, signal);
      const seen = { author, ...(readers === undefined ? {} : { readers }) };
      if (inbound.kind !== "message") return { ...inbound, ...seen };
      const runs = await Promise.all(inbound.runs.map((run) => named(run, signal)));
      const context = inbound.joins === true ? await earlier(inbound, signal).catch(unreadable) : [];
      return { ...inbound, ...seen, runs, ...(context.length === 0 ? {} : { context }) };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof WriteFault)) throw thrown;
      throw new Fault("slack_unasked", `Slack could not be asked about a message: ${thrown.message}`, { cause: thrown });
    }
  };
}
