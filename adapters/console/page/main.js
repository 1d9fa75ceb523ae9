/** Starts the page. */
import { render } from "./vendor/preact.js";
import { App } from "./app.js";
import { connect } from "./live.js";
import { html } from "./html.js";
import { followAddress } from "./store.js";

render(html`<${App} />`, document.body);
followAddress();
connect();
