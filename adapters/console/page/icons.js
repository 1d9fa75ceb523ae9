/** The page's few pictures, drawn with the colour of the text around them. */
import { html } from "./html.js";

const paths = {
  attach:
    "M14.500 7.500 8.600 13.400a2 2 0 0 0 2.800 2.800l6-6a3.700 3.700 0 0 0-5.200-5.200l-6.100 6.100a5.500 5.500 0 0 0 7.700 7.700l5.200-5.200",
  send: "M5 12h13M12.500 6.500 18 12l-5.500 5.500",
  close: "M6.500 6.500l11 11M17.500 6.500l-11 11",
  menu: "M4.500 7.500h15M4.500 12h15M4.500 16.500h15",
  reply: "M5 6.500h14v9H11l-4 3.500v-3.500H5z",
  edit: "M5 19l.9-3.700L15.700 5.500l2.800 2.800-9.800 9.800z",
  remove: "M5.500 7.500h13M9.500 7.500V5h5v2.500M7.500 7.500l.7 11.500h7.600l.7-11.500",
  plus: "M12 5.500v13M5.500 12h13",
  down: "M12 5.500v12M6.500 12.500 12 18l5.500-5.500",
  file: "M7 4.500h7l4 4V19.500H7zM14 4.500v4h4",
};

/** @param {{name: keyof typeof paths}} props */
export const Icon = ({ name }) =>
  html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d=${paths[name]} /></svg>`;

export const Mark = () => html`<img class="mark" src="/assets/favicon.svg" alt="" width="36" height="36" />`;
