/** How the live connection is. */
import { html } from "./html.js";

/** @param {{text: string}} props */
export const Connection = ({ text }) =>
  html`<p class=${`connection ${text === "Connected" ? "is-connected" : ""}`} role="status" aria-label="Connection">
    <i aria-hidden="true" /><span>${text}</span>
  </p>`;
