/** Channels, the direct message, and who is here. */
import { useState } from "./vendor/preact-hooks.js";
import { postChannel, putPerson } from "./api.js";
import { html } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { Face } from "./message.js";
import { go, takeEvent } from "./store.js";

/** One line to type into, with what was wrong about it. */
function OneLine({ label, value, button, onSave, onDone }) {
  const [text, setText] = useState(value);
  const [error, setError] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    try {
      await onSave(text.trim());
      onDone();
    } catch (refusal) {
      setError(refusal.message);
    }
  };
  return html`<form class="one-line" onSubmit=${save}>
    <input
      aria-label=${label}
      placeholder=${label}
      value=${text}
      maxlength="64"
      autofocus
      onInput=${(event) => setText(event.target.value)}
      onKeyDown=${(event) => event.key === "Escape" && onDone()}
    />
    <button type="submit" class="small primary">${button}</button>
    ${error === null ? null : html`<p class="error" role="alert">${error}</p>`}
  </form>`;
}

function Entry({ channel, state }) {
  const unread = state.unread.get(channel.id) ?? 0;
  const current = state.channel === channel.id;
  return html`<li>
    <a
      href=${`#${encodeURIComponent(channel.id)}`}
      aria-current=${current ? "page" : undefined}
      onClick=${(event) => {
        event.preventDefault();
        go(channel.id, null);
      }}
    >
      <span class="sign" aria-hidden="true">${channel.kind === "direct" ? html`<${Mark} />` : "#"}</span>
      <span class="name">${channel.name}</span>
      ${unread > 0 ? html`<span class="unread" aria-label=${`${unread} new`}>${unread}</span>` : null}
    </a>
  </li>`;
}

export function Sidebar({ state }) {
  const [adding, setAdding] = useState(false);
  const [naming, setNaming] = useState(false);
  const channels = state.channels.filter((channel) => channel.kind === "channel");
  const direct = state.channels.filter((channel) => channel.kind === "direct");
  const add = async (name) => {
    const { channel } = await postChannel(name.replace(/^#/, "").toLowerCase().replace(/\s+/g, "-"));
    takeEvent({ type: "channel", channel });
    go(channel.id, null);
  };
  return html`<nav class="sidebar" aria-label="Channels">
    <h1><${Mark} /> Parley</h1>
    <h2>
      Channels
      <button
        type="button"
        class="quiet"
        aria-label="New channel"
        title="New channel"
        aria-expanded=${adding}
        onClick=${() => setAdding(!adding)}
      >
        <${Icon} name="plus" />
      </button>
    </h2>
    ${adding ? html`<${OneLine} label="Channel name" value="" button="Create" onSave=${add} onDone=${() => setAdding(false)} />` : null}
    <ul>
      ${channels.map((channel) => html`<${Entry} key=${channel.id} channel=${channel} state=${state} />`)}
    </ul>
    <h2>Direct message</h2>
    <ul>
      ${direct.map((channel) => html`<${Entry} key=${channel.id} channel=${channel} state=${state} />`)}
    </ul>
    <footer>
      ${
        naming
          ? html`<${OneLine}
              label="Your name"
              value=${state.person.name}
              button="Save"
              onSave=${async (name) => takeEvent({ type: "person", name: (await putPerson(name)).person.name })}
              onDone=${() => setNaming(false)}
            />`
          : html`<button type="button" class="person" title="Change your name" onClick=${() => setNaming(true)}>
              <${Face} author=${state.person} /><span class="name">${state.person.name}</span>
            </button>`
      }
    </footer>
  </nav>`;
}
