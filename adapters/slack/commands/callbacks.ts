/** Ids of the shortcuts, as the manifest registers them. */

/** On a message: asks in a modal about it. */
export const askAboutCallback = "parley_ask_about";
/** Anywhere: asks in a modal what and where. */
export const askAnywhereCallback = "parley_ask_anywhere";
/** On a message: a command of the table, about its files. */
export const menuCallback = (command: string): string => `parley_menu_${command}`;
/** On a message: sums its thread up, without asking anything. */
export const summariseCallback = "parley_summarise";
