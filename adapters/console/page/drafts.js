/** What was typed but not sent: kept by the browser, so that a reload loses nothing. */

const keyOf = (place) => `parley:draft:${place.channel}:${place.thread ?? ""}`;

/** @import {FileView} from "../wire.ts" */

/** @returns {{text: string, files: FileView[], id: string}} `id` is the message's, should it be sent; empty when there is none yet */
export function readDraft(place) {
  try {
    const { text, files, id } = JSON.parse(localStorage.getItem(keyOf(place)) ?? "{}");
    return {
      text: typeof text === "string" ? text : "",
      files: Array.isArray(files) ? files : [],
      id: typeof id === "string" ? id : "",
    };
  } catch {
    // Storage is switched off, or holds something else: there is no draft, and typing still works.
    return { text: "", files: [], id: "" };
  }
}

export function keepDraft(place, draft) {
  try {
    if (draft.text === "" && draft.files.length === 0) localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), JSON.stringify(draft));
  } catch {
    // Storage is switched off or full: the text is still in the box.
  }
}
