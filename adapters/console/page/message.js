/** One message: who, when, what, and what can be done with it. */
import { Component } from "./vendor/preact.js";
import { useEffect, useRef, useState } from "./vendor/preact-hooks.js";
import { deleteMessage, newId, patchMessage, pressButton } from "./api.js";
import { Files } from "./files.js";
import { openForm } from "./form-dialog.js";
import { html } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { Link, Markdown } from "./markdown.js";
import { Menu } from "./menu.js";
import { go, set } from "./store.js";
import { dayText, fullTime, isSameDay, timeText } from "./time.js";

const trouble = (error) => set({ trouble: error.message });

/** A round of colour with the first letter: the same for the same name. */
export function Face({ author }) {
  if (author.id === "parley") return html`<${Mark} />`;
  return html`<span class="face" aria-hidden="true">${[...author.name][0]?.toUpperCase() ?? "?"}</span>`;
}

function Sources({ footnotes }) {
  if (footnotes.length === 0) return null;
  return html`<section class="sources" aria-label="Sources">
    <ol>
      ${footnotes.map(
        ({ index, title, url, detail }) =>
          html`<li value=${index}>
            ${url === null ? html`<cite>${title}</cite>` : html`<${Link} address=${url} label=${title}><cite>${title}</cite><//>`}
            ${detail === "" ? null : html`<span class="detail">${detail}</span>`}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** @param message that the buttons stand on */
export function Buttons({ actions, message }) {
  const [pressed, press] = useState("");
  if (actions.length === 0) return null;
  const onPress = async ({ action, turn, form }) => {
    if (form !== undefined) return openForm(form);
    press(`${action} ${turn}`);
    // The document's next state takes the button away; a failed press gives it back.
    await pressButton(newId(), message, action, turn).catch((error) => {
      press("");
      trouble(error);
    });
  };
  return html`<div class="buttons">
    ${actions.map((one) => {
      const { action, label, turn, form } = one;
      return html`<button
        key=${`${action} ${form ?? turn}`}
        type="button"
        class=${`small ${action}`}
        disabled=${pressed === `${action} ${turn}`}
        onClick=${() => onPress(one)}
      >
        ${label}
      </button>`;
    })}
  </div>`;
}

/** What Parley posted. */
export function DocumentBody({ document }) {
  const { state, blocks, status, notice, footnotes, footer } = document;
  return html`
    ${blocks.length > 0 ? html`<${Markdown} blocks=${blocks} />` : null}
    ${
      status === null && state !== "working"
        ? null
        : html`<p class=${`status ${state}`}>
            <span class="pulse" aria-hidden="true"><i /><i /><i /></span>${status}
          </p>`
    }
    ${notice === null ? null : html`<p class=${`notice ${state}`}>${notice}</p>`}
    <${Sources} footnotes=${footnotes} />
    ${footer === null ? null : html`<p class="footer">${footer}</p>`}
  `;
}

function Editor({ message, onDone }) {
  const [text, setText] = useState(message.text ?? "");
  const [error, setError] = useState(null);
  const [edit] = useState(newId);
  const box = useRef(null);
  useEffect(() => box.current.focus(), []);
  const save = async (event) => {
    event?.preventDefault();
    if (text === message.text) return onDone();
    try {
      await patchMessage(message.id, edit, text);
      onDone();
    } catch (refusal) {
      setError(refusal.message);
    }
  };
  const onKeyDown = (event) => {
    if (event.key === "Escape") {
      // It ends the edit, and not the thread around it too.
      event.stopPropagation();
      onDone();
    }
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void save(event);
  };
  return html`<form class="editor" onSubmit=${save}>
    <textarea
      aria-label="Edit message"
      rows=${Math.min(12, text.split("\n").length + 1)}
      value=${text}
      ref=${box}
      onInput=${(event) => setText(event.target.value)}
      onKeyDown=${onKeyDown}
    />
    ${error === null ? null : html`<p class="error" role="alert">${error}</p>`}
    <div class="buttons">
      <button type="submit" class="small primary">Save</button>
      <button type="button" class="small" onClick=${onDone}>Cancel</button>
    </div>
  </form>`;
}

function Tools({ message, canReply, onEdit }) {
  const [asked, ask] = useState(false);
  const own = message.author.id === "you" && !message.removed;
  const remove = () => (asked ? deleteMessage(message.id).catch(trouble) : ask(true));
  return html`<div class="tools">
    ${message.removed || message.files.length === 0 ? null : html`<${Menu} message=${message} />`}
    ${
      canReply
        ? html`<button
            type="button"
            class="quiet"
            title="Reply in thread"
            aria-label="Reply in thread"
            onClick=${() => go(message.channel, message.id)}
          >
            <${Icon} name="reply" />
          </button>`
        : null
    }
    ${
      own && message.kind === "text"
        ? html`<button type="button" class="quiet" title="Edit" aria-label="Edit" onClick=${onEdit}>
            <${Icon} name="edit" />
          </button>`
        : null
    }
    ${
      own
        ? html`<button
            type="button"
            class=${asked ? "danger small" : "quiet"}
            title="Delete"
            onClick=${remove}
            onBlur=${() => ask(false)}
            aria-label=${asked ? "Really delete" : "Delete"}
          >
            ${asked ? "Really delete?" : html`<${Icon} name="remove" />`}
          </button>`
        : null
    }
  </div>`;
}

function Body({ message, editing, onDone }) {
  if (message.removed) return html`<p class="gone">This message was deleted.</p>`;
  if (editing) return html`<${Editor} message=${message} onDone=${onDone} />`;
  if (message.kind === "command") return html`<p class="command"><code>${message.text}</code></p>`;
  if (message.author.id !== "you")
    return message.document === null ? null : html`<${DocumentBody} document=${message.document} />`;
  return html`<${Markdown} blocks=${message.document?.blocks ?? []} typed />`;
}

function Replies({ message }) {
  const { count, lastAt } = message.replies;
  if (count === 0) return null;
  const when = isSameDay(lastAt, Date.now()) ? timeText(lastAt) : dayText(lastAt);
  return html`<button type="button" class="replies" onClick=${() => go(message.channel, message.id)}>
    <b>${count === 1 ? "1 reply" : `${count} replies`}</b> <span>last ${when}</span>
  </button>`;
}

/**
 * Drawn again only when its message is another object, so that a long list costs nothing while one answer grows.
 * Props: `message`; `inList`: in a channel's list, where its thread can be opened; `compact`: of the same author as the one above.
 */
export class Message extends Component {
  shouldComponentUpdate(next, { editing }) {
    const { message, compact, open } = this.props;
    return message !== next.message || compact !== next.compact || open !== next.open || editing !== this.state.editing;
  }

  render({ message, inList, compact, open }, { editing = false }) {
    const { author, at, editedAt, files, document } = message;
    const state = document?.state ?? "done";
    const label = `${author.name}, ${fullTime(at)}`;
    return html`<article
      class=${["message", author.id, state, compact ? "compact" : "", open ? "open" : ""].join(" ")}
      id=${`${inList ? "channel" : "pane"}-${message.id}`}
      aria-label=${label}
      aria-busy=${state === "working" ? "true" : undefined}
    >
      <div class="side">
        ${compact ? html`<time datetime=${new Date(at).toISOString()} title=${fullTime(at)}>${timeText(at)}</time>` : html`<${Face} author=${author} />`}
      </div>
      <div class="main">
        ${
          compact
            ? null
            : html`<header>
                <b>${author.name}</b> <time datetime=${new Date(at).toISOString()} title=${fullTime(at)}>${timeText(at)}</time>
              </header>`
        }
        <${Body} message=${message} editing=${editing} onDone=${() => this.setState({ editing: false })} />
        ${editedAt === null || message.removed ? null : html`<span class="edited" title=${fullTime(editedAt)}>edited</span>`}
        <${Files} files=${files} />
        ${document === null || author.id === "you" ? null : html`<${Buttons} actions=${document.actions} message=${message.id} />`}
        ${inList ? html`<${Replies} message=${message} />` : null}
      </div>
      ${editing ? null : html`<${Tools} message=${message} canReply=${inList} onEdit=${() => this.setState({ editing: true })} />`}
    </article>`;
  }
}
