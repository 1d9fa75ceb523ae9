/** `/help`, from the table itself. */
import { usage, type Command } from "./table.ts";

/** @param all every command, help included; asked for late, as help is one of them */
export const helpFor = (all: () => readonly Command[]): Command => ({
  name: "help",
  help: "Show what Parley can do",
  options: [],
  order: "now",
  deed: null,
  async run(_options, { limits, offered }) {
    const known = await Promise.all(
      all().map(async (command) => ({
        command,
        here: command.tool === undefined || command.deed === null || (await offered(command.deed, command.tool)),
      })),
    );
    const usable = known.filter(({ here }) => here).map(({ command }) => command);
    const menus = usable.flatMap(({ menu }) => (menu === undefined ? [] : [`**${menu.label}**`]));
    const withFiles = usable.filter(({ options }) => options.some(({ type }) => type === "file"));
    const [example] = withFiles;
    const files =
      limits === null || example === undefined
        ? []
        : [`${withFiles.map(({ name }) => `\`/${name}\``).join(", ")} take a file: ${limits.howToAttach(example.name)}.`];
    const lines = usable.map((command) => `- \`${usage(command)}\` ${command.help}`);
    return {
      tell: [
        "Mention **@parley** with a question: the answer forms in a thread, and you go on there without mentioning again. In a direct message every message is for Parley. Write an agent's `@tag` to have that agent answer.",
        lines.join("\n"),
        ...(menus.length === 0 ? [] : [`In the menu of a message with a picture or a recording: ${menus.join(", ")}.`]),
        ...files,
      ].join("\n\n"),
    };
  },
});
