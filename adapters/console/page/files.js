/** Files of a message: pictures are shown, films and recordings are played, everything else is offered. */
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { sizeText } from "./time.js";

const Picture = ({ address, name }) =>
  html`<a class="picture" href=${address} target="_blank" rel="noopener"><img src=${address} alt=${name} loading="lazy" /></a>`;

const Download = ({ address, name, bytes }) =>
  html`<a class="download" href=${`${address}?download`} download=${name}>
    <${Icon} name="file" /><span class="name">${name}</span><span class="size">${sizeText(bytes)}</span>
  </a>`;

function Player({ address, name, shown }) {
  const around = { src: address, controls: true, preload: "metadata", "aria-label": name };
  return shown === "video" ? html`<video ...${around} playsinline />` : html`<audio ...${around} />`;
}

export function Files({ files }) {
  if (files.length === 0) return null;
  return html`<ul class="files" aria-label="Files">
    ${files.map(({ id, name, bytes, shown }) => {
      const file = { address: `/console/api/files/${id}`, name, bytes, shown };
      return html`<li key=${id}>
        ${shown === "audio" || shown === "video" ? html`<${Player} ...${file} />` : null}
        ${shown === "image" ? html`<${Picture} ...${file} />` : html`<${Download} ...${file} />`}
      </li>`;
    })}
  </ul>`;
}
