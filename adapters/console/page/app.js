/** The page: channels, the open channel, and a thread beside it. */
import { useEffect } from "./vendor/preact-hooks.js";
import { Channel } from "./channel.js";
import { FormDialog } from "./form-dialog.js";
import { html } from "./html.js";
import { Sidebar } from "./sidebar.js";
import { useOnePane } from "./one-pane.js";
import { set, useStore } from "./store.js";
import { Thread } from "./thread.js";

export function App() {
  const state = useStore();
  const alone = useOnePane() && state.thread !== null;
  const channel = state.channels.find((one) => one.id === state.channel) ?? null;
  const unread = [...state.unread.values()].reduce((sum, count) => sum + count, 0);
  useEffect(() => {
    const where = channel === null ? "Parley" : `${channel.kind === "direct" ? "" : "#"}${channel.name} · Parley`;
    document.title = unread > 0 ? `(${unread}) ${where}` : where;
  }, [channel, unread]);
  return html`<div
    class=${["app", state.menu ? "with-menu" : "", state.thread === null ? "" : "with-thread"].join(" ")}
    onKeyDown=${(event) => event.key === "Escape" && state.menu && set({ menu: false })}
  >
    <${Sidebar} state=${state} />
    <button
      type="button"
      class="shade"
      aria-label="Close the list of channels"
      tabindex=${state.menu ? 0 : -1}
      onClick=${() => set({ menu: false })}
    />
    <${Channel} key=${state.channel} state=${state} channel=${channel} hidden=${alone} />
    ${state.thread === null || channel === null ? null : html`<${Thread} key=${state.thread} state=${state} channel=${channel} alone=${alone} />`}
    ${state.form === null ? null : html`<${FormDialog} key=${state.form.id} form=${state.form} />`}
    <p class="unseen" aria-live="polite">${state.announcement}</p>
  </div>`;
}
