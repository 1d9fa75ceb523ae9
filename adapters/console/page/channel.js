/** The open channel: its messages, and where to write to it. */
import { useRef } from "./vendor/preact-hooks.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { html } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { MessageList } from "./message-list.js";
import { go, loadOlder, rootsOf, set } from "./store.js";

/**
 * @import {ChannelView} from "../wire.ts"
 * @import {State} from "./store.js"
 */

const Empty = ({ channel }) =>
  html`<div class="empty">
    <${Mark} />
    ${
      channel.kind === "direct"
        ? html`<h3>Talk with Parley</h3>
            <p>Every message here is for Parley. Ask something, attach a file, or type <kbd>/</kbd> for commands.</p>`
        : html`<h3>This is #${channel.name}</h3>
            <p>Mention <b class="mention">@parley</b> and the answer comes in a thread, for example:</p>
            <p class="example">@parley what should a good release note say?</p>
            <p>
              Go on in the thread without a mention. Drop a file to ask about it; type <kbd>/</kbd> for commands, <kbd>@</kbd> for
              agents.
            </p>`
    }
  </div>`;

/** @param {{state: State, channel: ChannelView | null, hidden: boolean}} props `hidden`: a thread takes all the room */
export function Channel({ state, channel, hidden }) {
  const pane = useRef(null);
  const messages = channel === null ? null : rootsOf(channel.id);
  const direct = channel?.kind === "direct";
  // A note that belongs to a thread is shown here while that thread is closed.
  const whispers = [...state.whispers.values()].filter(
    (one) => one.channel === state.channel && (one.thread === null || one.thread !== state.thread),
  );
  const onSent = (message) => {
    if (message.addressed && message.kind === "text" && !direct) go(message.channel, message.id);
  };
  return html`<main class="pane" ref=${pane} aria-label="Channel" hidden=${hidden}>
    <header class="head">
      <button
        type="button"
        class="quiet to-menu"
        aria-label="Channels"
        aria-expanded=${state.menu}
        onClick=${() => set({ menu: !state.menu })}
      >
        <${Icon} name="menu" />
      </button>
      <h2>${channel === null ? "" : direct ? channel.name : html`<span class="sign">#</span>${channel.name}`}</h2>
      ${hidden ? null : html`<${Connection} text=${state.connection} />`}
    </header>
    ${
      state.trouble === null
        ? null
        : html`<p class="trouble" role="alert">
            ${state.trouble} <button type="button" class="link" onClick=${() => set({ trouble: null })}>Close</button>
          </p>`
    }
    ${
      messages === null
        ? html`<div class="list" aria-busy="true" />`
        : html`<${MessageList}
            label="Messages"
            messages=${messages}
            whispers=${whispers}
            inList
            openThread=${state.thread}
            more=${state.loaded.get(channel.id)?.more}
            onOlder=${loadOlder}
            empty=${html`<${Empty} channel=${channel} />`}
          />`
    }
    ${
      channel === null
        ? null
        : html`<${Composer}
            place=${{ channel: channel.id, thread: null }}
            hint=${direct ? "Message Parley" : `Message #${channel.name}, or mention @parley`}
            onSent=${onSent}
            dropTarget=${pane}
            focus=${state.thread === null && matchMedia("(hover: hover)").matches}
          />`
    }
  </main>`;
}
