/** Preact with htm: markup in template strings, built into nodes, so that no text is ever read as HTML. */
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
