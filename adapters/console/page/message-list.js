/** A list of messages that stays at its end while it is there, and stands still while older ones are read. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-hooks.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Message } from "./message.js";
import { dayText, isSameDay } from "./time.js";
import { Whisper } from "./whisper.js";

/** @import {MessageView, WhisperView} from "../wire.ts" */

/** Messages of one author this close together share one heading. */
const togetherMs = 5 * 60 * 1000;
/** This near to the end counts as at the end, in pixels. */
const nearEnd = 48;

/** Goes with the end of the list until the reader scrolls away from it. */
function useStickToEnd(newest) {
  const box = useRef(null);
  const atEnd = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = () => {
    box.current.scrollTop = box.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
  });
  // Pictures and code grow after they were drawn.
  useEffect(() => {
    const list = box.current;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) list.scrollTop = list.scrollHeight;
    });
    observer.observe(list);
    observer.observe(list.firstElementChild);
    return () => observer.disconnect();
  }, []);
  // A last event can come after the list was taken away.
  const onScroll = ({ currentTarget }) => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    atEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
    setAway(!atEnd.current);
  };
  // One's own message is always worth seeing.
  useLayoutEffect(() => {
    if (newest?.author?.id === "you") toEnd();
  }, [newest?.id]);
  return { box, away, onScroll, toEnd };
}

/** Messages and whispers in the order in which they came; a whisper has no number, so times decide. */
function inOrder(messages, whispers) {
  const items = [...messages];
  for (const whisper of whispers) {
    const at = items.findLastIndex((item) => item.at <= whisper.at);
    items.splice(at + 1, 0, { ...whisper, isWhisper: true });
  }
  return items;
}

/**
 * @param {{messages: MessageView[], whispers: WhisperView[], inList: boolean, openThread: string | null, more?: boolean, onOlder?: () => Promise<void>, empty: object, label: string}} props
 */
export function MessageList({ messages, whispers, inList, openThread, more, onOlder, empty, label }) {
  const { box, away, onScroll, toEnd } = useStickToEnd(messages.at(-1));
  const items = inOrder(messages, whispers);
  const older = async () => {
    const fromEnd = box.current.scrollHeight - box.current.scrollTop;
    await onOlder();
    requestAnimationFrame(() => {
      if (box.current !== null) box.current.scrollTop = box.current.scrollHeight - fromEnd;
    });
  };
  return html`<div class="list" ref=${box} onScroll=${onScroll} role="feed" aria-label=${label} tabindex="0">
    <div class="inside">
      ${more ? html`<button type="button" class="small older" onClick=${older}>Show older messages</button>` : null}
      ${items.length === 0 ? empty : null}
      ${items.map((item, index) => {
        const before = items[index - 1];
        const newDay = before === undefined || !isSameDay(before.at, item.at);
        const compact =
          !newDay &&
          !item.isWhisper &&
          !before.isWhisper &&
          !before.removed &&
          before.author.id === item.author.id &&
          before.author.name === item.author.name &&
          item.at - before.at < togetherMs &&
          // The first message of a thread stands apart from what hangs from it.
          (inList || index > 1);
        return html`${newDay ? html`<p key=${`day ${item.id}`} class="day"><span>${dayText(item.at)}</span></p>` : null}
        ${
          item.isWhisper
            ? html`<${Whisper} key=${item.id} whisper=${item} />`
            : html`<${Message}
                key=${item.id}
                message=${item}
                inList=${inList}
                compact=${compact}
                open=${openThread === item.id}
              />`
        }`;
      })}
    </div>
    ${away ? html`<button type="button" class="small newest" onClick=${toEnd}><${Icon} name="down" /> Newest</button>` : null}
  </div>`;
}
