/** Files of a message: pictures are shown, everything else is offered. */
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { sizeText } from "./time.js";

export function Files({ files }) {
  if (files.length === 0) return null;
  return html`<ul class="files" aria-label="Files">
    ${files.map(({ id, name, bytes, image }) => {
      const address = `/console/api/files/${id}`;
      return html`<li key=${id}>
        ${
          image
            ? html`<a class="picture" href=${address} target="_blank" rel="noopener"
                ><img src=${address} alt=${name} loading="lazy"
              /></a>`
            : html`<a class="download" href=${`${address}?download`} download=${name}>
                <${Icon} name="file" /><span class="name">${name}</span><span class="size">${sizeText(bytes)}</span>
              </a>`
        }
      </li>`;
    })}
  </ul>`;
}
