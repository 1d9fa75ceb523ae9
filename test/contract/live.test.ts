/** Finding a message in a frame of the live channel, whose envelope the interface does not show. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { looksLikeMessage, messageIn } from "../../src/contract/live.ts";

const message = { ID: 5, isUser: false, status: "generating", text: "so" };

test.for([[message], [{ event: "message", data: message }], [{ type: "update", at: 1, payload: message, list: [1] }]])(
  "is found in %j",
  ([frame]) => expect(messageIn(frame)).toBe(message),
);

test.for([
  [null],
  [5],
  ["text"],
  [[message]],
  [{}],
  [{ data: {} }],
  [{ data: { ...message, ID: "5" } }],
  [{ data: { ...message, isUser: null } }],
  [{ data: { ...message, status: 1 } }],
  [{ outer: { inner: message } }],
])("is not found in %j", ([frame]) => expect(messageIn(frame)).toBeUndefined());

test("any JSON has a message with its marks, or none", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (frame) => {
      const found = messageIn(frame);
      expect(found === undefined || looksLikeMessage(found)).toBe(true);
    }),
  );
});
