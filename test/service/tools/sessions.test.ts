/** Sessions of the tool server: whose they are, how long they rest, and how many there are. */
import { expect, test } from "vitest";
import { createSessions, type Session } from "../../../src/service/tools/sessions.ts";
import { fakeClock } from "../../fakes/clock.ts";

const hour = 60 * 60_000;

function fakeSession(keyId = 1) {
  const state = { closed: 0, busy: false };
  const session: Session = {
    keyId,
    fetch: () => Promise.reject(new Error("nothing is asked here")),
    busy: () => state.busy,
    close: () => Promise.resolve(void state.closed++),
  };
  return { session, state };
}

test("a session is found by its own key only, until it is forgotten", async () => {
  const sessions = createSessions(fakeClock());
  const { session } = fakeSession(1);
  await sessions.keep("a", session);
  expect(sessions.find("a", 1)).toBe(session);
  expect(sessions.find("a", 2)).toBeUndefined();
  expect(sessions.find("b", 1)).toBeUndefined();
  sessions.forget("a");
  expect(sessions.find("a", 1)).toBeUndefined();
});

test("a session that rests for more than an hour is not found any more, and ends when the next one is kept", async () => {
  const clock = fakeClock();
  const sessions = createSessions(clock);
  const [old, used, working] = [fakeSession(), fakeSession(), fakeSession()];
  working.state.busy = true;
  await sessions.keep("old", old.session);
  await sessions.keep("used", used.session);
  await sessions.keep("working", working.session);
  await clock.advance(hour);
  expect(sessions.find("used", 1)).toBe(used.session);
  await clock.advance(1);
  expect(sessions.find("old", 1)).toBeUndefined();
  await sessions.keep("new", fakeSession().session);
  expect([old, used, working].map(({ state }) => state.closed)).toEqual([1, 0, 0]);
  expect(sessions.find("working", 1)).toBe(working.session);
});

test("at the bound the session that rests longest ends, and none in which a call is answered", async () => {
  const sessions = createSessions(fakeClock(), 3);
  const [first, second, third, fourth] = [fakeSession(), fakeSession(), fakeSession(), fakeSession()];
  first.state.busy = true;
  await sessions.keep("first", first.session);
  await sessions.keep("second", second.session);
  await sessions.keep("third", third.session);
  sessions.find("second", 1);
  await sessions.keep("fourth", fourth.session);
  expect([first, second, third, fourth].map(({ state }) => state.closed)).toEqual([0, 0, 1, 0]);
  await sessions.close();
  expect([first, second, third, fourth].map(({ state }) => state.closed)).toEqual([1, 1, 1, 1]);
});
