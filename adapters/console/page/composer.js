/** Where messages are written: text, files and suggestions. Nothing leaves the box before the server has it. */
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-hooks.js";
import { newId, postMessage } from "./api.js";
import { Chips, useAttachments } from "./attachments.js";
import { keepDraft, readDraft } from "./drafts.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { accept } from "./suggest.js";
import { SuggestionList, useSuggestions } from "./suggestions.js";
import { takeEvent, useStore } from "./store.js";

/** @import {MessageView} from "../wire.ts" */

/**
 * Give it `key` by its place, as its text belongs to one place only.
 * @param {{place: {channel: string, thread: string | null}, hint: string, onSent: (message: MessageView) => void, dropTarget: {current: HTMLElement | null}, focus: boolean}} props
 */
export function Composer({ place, hint, onSent, dropTarget, focus }) {
  const { commands, fileBytes } = useStore();
  const [draft] = useState(() => readDraft(place));
  const [{ text, caret }, setTyped] = useState({ text: draft.text, caret: draft.text.length });
  const [error, setError] = useState(null);
  const [sending, setSending] = useState(false);
  const [dragging, setDragging] = useState(false);
  const attachments = useAttachments(draft.files, fileBytes);
  const box = useRef(null);
  const picker = useRef(null);
  const id = useRef(draft.id || newId());
  const asDrafted = useRef(true);
  const listId = `suggestions-${place.thread === null ? "channel" : "thread"}`;
  const list = useSuggestions({ text, caret, commands, place });
  const files = attachments.list().flatMap((one) => (one.file === null ? [] : [one.file]));
  const fileIds = files.map((file) => file.id).join(" ");

  useEffect(() => {
    // Another text is another message; the same one sent again is the same message, however often, after a reload too.
    if (!asDrafted.current) id.current = newId();
    asDrafted.current = false;
    keepDraft(place, { text, files, id: id.current });
  }, [text, fileIds]);
  useEffect(() => {
    if (focus) box.current.focus();
  }, []);

  useLayoutEffect(() => {
    const { current } = box;
    current.style.height = "auto";
    current.style.height = `${current.scrollHeight + 2}px`;
  }, [text]);

  useEffect(() => {
    const target = dropTarget.current;
    if (target === null) return undefined;
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    const over = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event) => {
      if (!target.contains(event.relatedTarget)) setDragging(false);
    };
    const drop = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      attachments.add(event.dataTransfer.files);
      box.current.focus();
    };
    target.addEventListener("dragover", over);
    target.addEventListener("dragleave", leave);
    target.addEventListener("drop", drop);
    return () => {
      target.removeEventListener("dragover", over);
      target.removeEventListener("dragleave", leave);
      target.removeEventListener("drop", drop);
    };
  }, []);

  /** Puts text into the box and the caret into it. */
  const type = (next) => {
    setTyped(next);
    requestAnimationFrame(() => box.current?.setSelectionRange(next.caret, next.caret));
  };
  const read = () => setTyped({ text: box.current.value, caret: box.current.selectionStart });
  const acceptItem = (value) => {
    type(accept(text, list.wanted, value));
    list.clear();
  };

  const send = async (event) => {
    event?.preventDefault();
    if (sending || (text.trim() === "" && attachments.list().length === 0)) return;
    setSending(true);
    setError(null);
    try {
      // What is attached from now on belongs to the next message.
      const keys = new Set(attachments.list().map(({ key }) => key));
      await attachments.settled();
      const chosen = attachments.list().filter(({ key }) => keys.has(key));
      if (chosen.some((one) => one.error !== null)) throw new Error("A file was not uploaded. Remove it, or attach it again.");
      const { message } = await postMessage({ id: id.current, ...place, text, files: chosen.map((one) => one.file.id) });
      // Before anything is shown: a page that is left in this moment must not come back with it.
      keepDraft(place, { text: "", files: [], id: "" });
      takeEvent({ type: "message", message });
      attachments.sent(keys);
      setTyped({ text: "", caret: 0 });
      onSent(message);
    } catch (refusal) {
      setError(refusal.message);
    } finally {
      setSending(false);
      box.current?.focus();
    }
  };

  const onKeyDown = (event) => {
    if (event.isComposing) return;
    if (list.open) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        return list.move(event.key === "ArrowDown" ? 1 : -1);
      }
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        return list.close();
      }
      if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && list.active >= 0) {
        event.preventDefault();
        return acceptItem(list.items[list.active].value);
      }
    }
    if (event.key === "Enter" && !event.shiftKey) void send(event);
  };

  const onPaste = (event) => {
    const { files: pasted } = event.clipboardData;
    if (pasted.length === 0) return;
    event.preventDefault();
    attachments.add(pasted);
  };

  return html`<form class=${`composer${dragging ? " dragging" : ""}`} onSubmit=${send} aria-busy=${sending ? "true" : undefined}>
    <${SuggestionList} id=${listId} list=${list} onAccept=${acceptItem} />
    ${error === null ? null : html`<p class="error" role="alert">${error}</p>`}
    <div class="box">
      <${Chips} attachments=${attachments} />
      <textarea
        ref=${box}
        rows="1"
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls=${list.open ? listId : undefined}
        aria-activedescendant=${list.active >= 0 ? `${listId}-${list.active}` : undefined}
        placeholder=${hint}
        value=${text}
        readonly=${sending}
        onInput=${read}
        onSelect=${read}
        onKeyDown=${onKeyDown}
        onPaste=${onPaste}
        onBlur=${() => list.open && list.close()}
      />
      <div class="bar">
        <button
          type="button"
          class="quiet"
          aria-label="Attach files"
          title="Attach files"
          onClick=${() => picker.current.click()}
        >
          <${Icon} name="attach" />
        </button>
        <input
          ref=${picker}
          type="file"
          multiple
          hidden
          onChange=${() => {
            attachments.add(picker.current.files);
            // The same file can be chosen again after it was removed.
            picker.current.value = "";
          }}
        />
        <span class="keys" aria-hidden="true"><kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a line</span>
        <button
          type="submit"
          class="primary send"
          aria-label="Send"
          disabled=${sending || (text.trim() === "" && attachments.list().length === 0)}
        >
          <${Icon} name="send" />
        </button>
      </div>
    </div>
    <p class="drop" aria-hidden="true">Drop files to attach them</p>
  </form>`;
}
