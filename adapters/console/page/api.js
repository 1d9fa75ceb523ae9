/** The console's JSON interface. What goes wrong comes as a `Refused`, whose text is for the person. */

export class Refused extends Error {}

const unreachable = "Cannot reach Parley. Your text is still here; it can be sent once the connection is back.";

/**
 * @param {string} method
 * @param {string} path below `/console/api`
 * @param {object} [body]
 */
async function request(method, path, body) {
  const response = await fetch(`/console/api${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refused(unreachable);
  });
  if (response.status === 204) return {};
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? `Parley answered ${response.status}.`);
  return answer;
}

const segment = encodeURIComponent;

export const getState = () => request("GET", "/state");
export const getMessages = (channel, before) =>
  request("GET", `/channels/${segment(channel)}/messages${before === undefined ? "" : `?before=${before}`}`);
export const getThread = (id) => request("GET", `/threads/${segment(id)}`);
export const postMessage = (message) => request("POST", "/messages", message);
export const patchMessage = (id, edit, text) => request("PATCH", `/messages/${segment(id)}`, { edit, text });
export const deleteMessage = (id) => request("DELETE", `/messages/${segment(id)}`);
export const pressButton = (id, message, action, turn) => request("POST", "/actions", { id, message, action, turn });
export const chooseInMenu = (message, id, command) => request("POST", `/messages/${segment(message)}/menu`, { id, command });
export const getForm = (id) => request("GET", `/forms/${segment(id)}`);
export const sendForm = (form, id, values) => request("POST", `/forms/${segment(form)}`, { id, values });
export const dismissWhisper = (id) => request("DELETE", `/whispers/${segment(id)}`);
export const postChannel = (name) => request("POST", "/channels", { name });
export const putPerson = (name) => request("PUT", "/person", { name });

export function getSuggestions(source, query, place) {
  const search = new URLSearchParams({ source, q: query, channel: place.channel });
  if (place.thread !== null) search.set("thread", place.thread);
  return request("GET", `/suggestions?${search}`);
}

/**
 * Uploads one file; `fetch` cannot tell how far it has come, so this is the older way.
 * @param {File} file
 * @param {(part: number) => void} onProgress from 0 to 1
 * @param {AbortSignal} signal
 * @returns {Promise<{id: string, name: string, mediaType: string, bytes: number, shown: "image" | "audio" | "video" | null}>}
 */
export function upload(file, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open("POST", `/console/api/files?name=${segment(file.name)}`);
    sent.setRequestHeader("content-type", file.type || "application/octet-stream");
    sent.responseType = "json";
    sent.upload.addEventListener("progress", (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0));
    sent.addEventListener("load", () =>
      sent.status === 201 ? resolve(sent.response.file) : reject(new Refused(sent.response?.error ?? "The upload failed.")),
    );
    sent.addEventListener("error", () => reject(new Refused("The upload failed: cannot reach Parley.")));
    sent.addEventListener("abort", () => reject(new Refused("The upload was cancelled.")));
    signal.addEventListener("abort", () => sent.abort(), { once: true });
    sent.send(file);
  });
}

/** An id that no other message, edit or press has. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
