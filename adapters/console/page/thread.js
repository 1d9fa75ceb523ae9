/** One thread, beside its channel: a conversation with Parley, or among people. */
import { useRef } from "./vendor/preact-hooks.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { MessageList } from "./message-list.js";
import { go, threadOf } from "./store.js";

/**
 * @import {ChannelView} from "../wire.ts"
 * @import {State} from "./store.js"
 */

const canHover = matchMedia("(hover: hover)");
const nothing = () => undefined;

/** @param {{state: State, channel: ChannelView, alone: boolean}} props `alone`: the channel is not shown beside it */
export function Thread({ state, channel, alone }) {
  const pane = useRef(null);
  const { thread } = state;
  const messages = threadOf(thread);
  const takesPart = messages?.some(
    (one) => one.author.id === "parley" || (one.addressed && (one.kind === "text" || one.thread !== null)),
  );
  const close = () => {
    go(channel.id, null);
    // Back to where one writes; a phone would open its keyboard.
    if (canHover.matches)
      requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector("main textarea"))?.focus());
  };
  const whispers = [...state.whispers.values()].filter((one) => one.thread === thread);
  return html`<aside
    class="pane thread"
    ref=${pane}
    aria-label="Thread"
    onKeyDown=${(event) => event.key === "Escape" && !event.defaultPrevented && close()}
  >
    <header class="head">
      <h2>Thread <span class="where">${channel.kind === "direct" ? channel.name : `#${channel.name}`}</span></h2>
      ${alone ? html`<${Connection} text=${state.connection} />` : null}
      <button type="button" class="quiet" aria-label="Close thread" title="Close thread" onClick=${close}>
        <${Icon} name="close" />
      </button>
    </header>
    ${
      messages === null
        ? html`<div class="list" aria-busy="true" />`
        : html`<${MessageList}
            label="Messages of the thread"
            messages=${messages}
            whispers=${whispers}
            inList=${false}
            openThread=${null}
            empty=${null}
          />`
    }
    <${Composer}
      place=${{ channel: channel.id, thread }}
      hint=${takesPart ? "Reply to Parley" : "Reply, or mention @parley"}
      onSent=${nothing}
      dropTarget=${pane}
      focus=${canHover.matches}
    />
  </aside>`;
}
