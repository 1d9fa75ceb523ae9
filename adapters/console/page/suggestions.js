/** The list of suggestions under the caret: found, moved through and accepted with the keyboard. */
import { useEffect, useState } from "./vendor/preact-hooks.js";
import { getSuggestions } from "./api.js";
import { html } from "./html.js";
import { commandItems, matching, nameItems, wantedAt } from "./suggest.js";

/** @import {CommandInfo} from "../../../src/core/commands/types.ts" */

/** Agents are asked for after the typing has paused for this long. */
const pauseMs = 120;

const nothing = { items: [], active: -1, wanted: null };

const parley = { value: "@parley", label: "@parley", detail: "Asks Parley: the answer comes in a thread" };

async function find(wanted, commands, place, query) {
  const ask = (source) => getSuggestions(source, query, place).then((answer) => answer.suggestions);
  if (wanted.kind === "command") return commandItems(wanted, commands);
  if (wanted.kind === "agent") {
    const agents = (await ask("agents")).map((agent) => ({ ...agent, value: `@${agent.value.replace(/^@/, "")}` }));
    return parley.value.startsWith(`@${query}`) ? [parley, ...agents] : agents;
  }
  const { option } = wanted;
  const values =
    option === undefined ? [] : option.source === undefined ? matching(option.choices ?? [], query) : await ask(option.source);
  return [...values, ...nameItems(wanted)];
}

/**
 * @param {{text: string, caret: number, commands: readonly CommandInfo[], place: {channel: string, thread: string | null}}} typed
 * @returns the list as it is, and what changes it
 */
export function useSuggestions({ text, caret, commands, place }) {
  const [shown, show] = useState(nothing);
  const [closedAt, setClosedAt] = useState("");
  const wanted = wantedAt(text, caret, commands);
  const mark = wanted === null ? "" : `${wanted.kind} ${wanted.from} ${wanted.query}`;

  useEffect(() => {
    if (wanted === null || closedAt === mark) return show(nothing);
    let left = false;
    const timer = setTimeout(
      () => {
        void find(wanted, commands, place, wanted.query)
          .catch(() => [])
          .then((items) => {
            if (left) return;
            const typed = text.slice(wanted.from, wanted.to).trim().toLowerCase();
            // Nothing to add: Enter is for sending.
            const isWhole = items.length === 1 && items[0].value.toLowerCase() === typed;
            // Where nothing was typed of an option, Enter sends; the arrows choose.
            const active = wanted.kind === "option" && wanted.query === "" ? -1 : 0;
            show(isWhole ? nothing : { items, active, wanted });
          });
      },
      wanted.kind === "command" ? 0 : pauseMs,
    );
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [mark, closedAt, place.channel, place.thread, commands]);

  // What is shown may be of a moment ago: it counts only while the same thing is being typed.
  const open = shown.items.length > 0 && wanted?.kind === shown.wanted.kind && wanted.from === shown.wanted.from;
  return {
    ...shown,
    wanted,
    active: open ? shown.active : -1,
    open,
    move: (by) => {
      const count = shown.items.length;
      const next = shown.active < 0 && by < 0 ? count - 1 : (shown.active + by + count) % count;
      show({ ...shown, active: next });
    },
    point: (active) => show({ ...shown, active }),
    close: () => setClosedAt(mark),
    /** One was accepted: what comes next is looked for anew. */
    clear: () => show(nothing),
  };
}

/** @param {{id: string, list: ReturnType<typeof useSuggestions>, onAccept: (value: string) => void}} props */
export function SuggestionList({ id, list, onAccept }) {
  if (!list.open) return null;
  return html`<ul class="suggestions" role="listbox" id=${id} aria-label="Suggestions">
    ${list.items.map(
      ({ value, label, detail }, index) =>
        html`<li
          key=${value}
          id=${`${id}-${index}`}
          role="option"
          aria-selected=${index === list.active}
          ref=${(item) => index === list.active && item?.scrollIntoView({ block: "nearest" })}
          onMouseMove=${() => index !== list.active && list.point(index)}
          onMouseDown=${(event) => {
            // The text box keeps the focus.
            event.preventDefault();
            onAccept(value);
          }}
        >
          <b>${label}</b>${detail ? html`<span>${detail}</span>` : null}
        </li>`,
    )}
  </ul>`;
}
