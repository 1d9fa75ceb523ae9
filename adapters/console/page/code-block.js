/** Code, with a button that copies it. */
import { useEffect, useState } from "./vendor/preact-hooks.js";
import { html } from "./html.js";

export function CodeBlock({ language, text }) {
  const [said, say] = useState("Copy");
  useEffect(() => {
    if (said === "Copy") return undefined;
    const timer = setTimeout(() => say("Copy"), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  // The clipboard is closed to pages that are neither on this machine nor encrypted.
  const copy = () =>
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => say("Copied"),
      () => say("Select and copy by hand"),
    );
  return html`<figure class="code">
    <figcaption>
      <span>${language || "text"}</span>
      <button type="button" class="quiet" onClick=${copy} aria-live="polite">${said}</button>
    </figcaption>
    <pre tabindex="0" aria-label="Code"><code>${text}</code></pre>
  </figure>`;
}
