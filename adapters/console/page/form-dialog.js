/** A form as a dialog: the page behind it rests, Escape leaves it, and what was wrong is said beside its field. */
import { useEffect, useRef, useState } from "./vendor/preact-hooks.js";
import { getForm, newId, sendForm } from "./api.js";
import { html } from "./html.js";
import { set } from "./store.js";

/** @import {Form, FormField} from "../../../src/core/forms.ts" */

/** Opens a form of Parley's over the page. @param {string} id */
export async function openForm(id) {
  try {
    set({ form: (await getForm(id)).form });
  } catch (error) {
    set({ trouble: /** @type {Error} */ (error).message });
  }
}

/** @param {FormField} field */
const listOf = ({ value }) => (value === undefined ? [] : typeof value === "string" ? [value] : value);

/** @param {{ field: FormField, id: string, described: string | undefined, invalid: boolean }} props */
function Control({ field, id, described, invalid }) {
  const { name, type, required, choices = [], max = 3000, source } = field;
  const chosen = listOf(field);
  const common = { id, name, required, "aria-describedby": described, "aria-invalid": invalid ? "true" : undefined };
  const options = type === "yes_no" ? ["yes", "no"].map((value) => ({ value, label: value === "yes" ? "Yes" : "No" })) : choices;
  if (type === "choices")
    return html`<div class="choices" role="group" aria-labelledby=${`${id}-label`} aria-describedby=${described}>
      ${options.map(
        ({ value, label }) =>
          html`<label
            ><input type="checkbox" name=${name} value=${value} defaultChecked=${chosen.includes(value)} /> ${label}</label
          >`,
      )}
    </div>`;
  if (type === "yes_no" || (type === "choice" && source === undefined && options.length > 0))
    return html`<select ...${common}>
      <option value="">${required ? "Choose…" : "None"}</option>
      ${options.map(({ value, label }) => html`<option value=${value} selected=${chosen.includes(value)}>${label}</option>`)}
    </select>`;
  if (type === "long") return html`<textarea ...${common} rows="5" maxlength=${max} defaultValue=${chosen[0] ?? ""} />`;
  return html`<input
      ...${common}
      type=${type === "secret" ? "password" : "text"}
      inputmode=${type === "number" ? "decimal" : undefined}
      autocomplete=${type === "secret" ? "new-password" : "off"}
      maxlength=${max}
      defaultValue=${type === "secret" ? "" : (chosen[0] ?? "")}
      list=${options.length > 0 ? `${id}-list` : undefined}
    />
    ${
      options.length === 0
        ? null
        : html`<datalist id=${`${id}-list`}>
            ${options.map(({ value, label }) => html`<option value=${value}>${label}</option>`)}
          </datalist>`
    }`;
}

/** @param {{ form: Form }} props */
export function FormDialog({ form }) {
  const dialog = useRef(null);
  const [problems, setProblems] = useState({});
  const [error, setError] = useState(null);
  const [sending, setSending] = useState(false);
  const [submission] = useState(newId);
  const close = () => set({ form: null });
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before instanceof HTMLElement && before.isConnected && before.focus();
  }, []);
  useEffect(() => {
    // To the first field that needs another look.
    dialog.current.querySelector('[aria-invalid="true"]')?.focus();
  }, [problems]);

  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const values = Object.fromEntries(
      form.fields.map(({ name, type }) => [name, type === "choices" ? given.getAll(name) : (given.get(name) ?? "")]),
    );
    setSending(true);
    try {
      const { problems: found } = await sendForm(form.id, submission, values);
      if (found === undefined) return close();
      setError(null);
      setProblems(found);
    } catch (refusal) {
      setError(/** @type {Error} */ (refusal).message);
    } finally {
      setSending(false);
    }
  };
  return html`<dialog class="form" ref=${dialog} aria-labelledby="form-title" onClose=${close}>
    <form onSubmit=${send} novalidate>
      <h2 id="form-title">${form.title}</h2>
      ${form.fields.map((field) => {
        const id = `form-${field.name}`;
        const problem = problems[field.name];
        const described = [field.help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`];
        return html`<div class="field" key=${field.name}>
          <label for=${field.type === "choices" ? undefined : id} id=${`${id}-label`}>
            ${field.label}${field.required ? null : html` <span class="optional">optional</span>`}
          </label>
          <${Control}
            field=${field}
            id=${id}
            described=${described.filter(Boolean).join(" ") || undefined}
            invalid=${problem !== undefined}
          />
          ${field.help === undefined ? null : html`<p class="help" id=${`${id}-help`}>${field.help}</p>`}
          ${problem === undefined ? null : html`<p class="error" id=${`${id}-problem`} role="alert">${problem}</p>`}
        </div>`;
      })}
      ${error === null ? null : html`<p class="error" role="alert">${error}</p>`}
      <div class="buttons">
        <button type="button" class="small" onClick=${() => dialog.current.close()}>Cancel</button>
        <button type="submit" class="small primary" disabled=${sending}>${form.submit}</button>
      </div>
    </form>
  </dialog>`;
}
