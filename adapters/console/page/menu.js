/** The commands about a message's files, as buttons among its tools. */
import { chooseInMenu, newId } from "./api.js";
import { html } from "./html.js";
import { set, useStore } from "./store.js";

/** @import {MessageView} from "../wire.ts" */

/** @param {{ message: MessageView }} props */
export function Menu({ message }) {
  const { commands } = useStore();
  const has = (kind) => message.files.some(({ kinds }) => kinds.includes(kind));
  const choose = async (command) => {
    try {
      const { form } = await chooseInMenu(message.id, newId(), command);
      if (form !== undefined) set({ form });
    } catch (error) {
      set({ trouble: /** @type {Error} */ (error).message });
    }
  };
  return commands
    .filter(({ menu }) => menu !== undefined && has(menu.takes))
    .map(
      ({ name, menu }) =>
        html`<button key=${name} type="button" class="quiet small" title=${menu.help} onClick=${() => choose(name)}>
          ${menu.label}
        </button>`,
    );
}
