/** Files on their way to a message: uploaded as soon as they are chosen, pasted or dropped. */
import { useEffect, useRef, useState } from "./vendor/preact-hooks.js";
import { newId, upload } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { sizeText } from "./time.js";

/**
 * @import {FileView} from "../wire.ts"
 * @typedef {object} Attachment
 * @property {string} key
 * @property {string} name
 * @property {number} bytes
 * @property {number} part how much of it is there, from 0 to 1
 * @property {FileView | null} file as the server knows it, once it is there
 * @property {string | null} error
 */

/** Pictures that are pasted all have the same name. */
const named = (file) =>
  file.name === "image.png"
    ? new File([file], `pasted-${new Date().toISOString().slice(0, 19).replaceAll(":", ".")}.png`, { type: file.type })
    : file;

/**
 * @param {readonly FileView[]} kept files of a draft, which are on the server already
 * @param {number} largest bytes of one file: a larger one is not even begun
 */
export function useAttachments(kept, largest) {
  const asAttachments = (files) =>
    files.map((file) => ({ key: file.id, name: file.name, bytes: file.bytes, part: 1, file, error: null }));
  const list = useRef(asAttachments(kept));
  const [, again] = useState(0);
  const running = useRef(new Map());
  const changed = (next) => {
    list.current = next;
    again((count) => count + 1);
  };
  const update = (key, patch) => changed(list.current.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  useEffect(
    () => () => {
      for (const { stop } of running.current.values()) stop.abort();
    },
    [],
  );

  const start = (file) => {
    const key = newId();
    const one = { key, name: file.name, bytes: file.size, part: 0, file: null, error: null };
    if (file.size > largest) return changed([...list.current, { ...one, error: `too large: at most ${sizeText(largest)}` }]);
    const stop = new AbortController();
    changed([...list.current, one]);
    const done = upload(file, (part) => update(key, { part }), stop.signal)
      .then(
        (stored) => update(key, { part: 1, file: stored }),
        (error) => update(key, { error: error.message }),
      )
      .finally(() => running.current.delete(key));
    running.current.set(key, { stop, done });
  };

  return {
    /** @type {() => Attachment[]} */
    list: () => list.current,
    add: (files) => Array.from(files, named).forEach(start),
    remove: (key) => {
      running.current.get(key)?.stop.abort();
      changed(list.current.filter((one) => one.key !== key));
    },
    /** Takes those with the keys away, as they have gone with a message. */
    sent: (keys) => changed(list.current.filter(({ key }) => !keys.has(key))),
    /** Resolves when no upload is running. */
    settled: () => Promise.all([...running.current.values()].map(({ done }) => done)),
  };
}

export function Chips({ attachments }) {
  const list = attachments.list();
  if (list.length === 0) return null;
  return html`<ul class="chips" aria-label="Attached files">
    ${list.map(
      ({ key, name, bytes, part, file, error }) =>
        html`<li key=${key} class=${error === null ? "" : "failed"}>
          ${file?.shown === "image" ? html`<img src=${`/console/api/files/${file.id}`} alt="" />` : html`<${Icon} name="file" />`}
          <span class="name">${name}</span>
          <span class="size">${error ?? sizeText(bytes)}</span>
          ${file === null && error === null ? html`<progress max="1" value=${part} aria-label=${`Uploading ${name}`} />` : null}
          <button type="button" class="quiet" aria-label=${`Remove ${name}`} onClick=${() => attachments.remove(key)}>
            <${Icon} name="close" />
          </button>
        </li>`,
    )}
  </ul>`;
}
