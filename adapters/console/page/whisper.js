/** What Parley tells one person only. */
import { dismissWhisper } from "./api.js";
import { html } from "./html.js";
import { Mark } from "./icons.js";
import { Buttons, DocumentBody } from "./message.js";
import { set } from "./store.js";
import { fullTime, timeText } from "./time.js";

export function Whisper({ whisper }) {
  const { id, at, document } = whisper;
  const dismiss = () => dismissWhisper(id).catch((error) => set({ trouble: error.message }));
  return html`<article class="message parley whisper" aria-label=${`Parley, only visible to you, ${fullTime(at)}`}>
    <div class="side"><${Mark} /></div>
    <div class="main">
      <header><b>Parley</b> <time datetime=${new Date(at).toISOString()} title=${fullTime(at)}>${timeText(at)}</time></header>
      <${DocumentBody} document=${document} />
      <${Buttons} actions=${document.actions} message=${id} />
      <p class="only">Only visible to you <button type="button" class="link" onClick=${dismiss}>Dismiss</button></p>
    </div>
  </article>`;
}
