/** Commands that show what there is. */
import { laneLimit } from "../busy.ts";
import { placeKey } from "../place.ts";
import type { Settings } from "../settings.ts";
import { table } from "./markdown-table.ts";
import type { Command } from "./table.ts";

export const models: Command = {
  name: "models",
  help: "Show the models that you can choose",
  options: [],
  order: "now",
  deed: "send",
  async run(_options, { lists, signal }) {
    const all = await lists.models({ signal });
    if (all.length === 0) return { tell: "The workspace has no models." };
    const rows = all.map((entry) => [
      entry.name,
      entry.best_for || entry.description,
      entry.selectable
        ? [entry.flagship ? "flagship" : "", entry.thinking_model ? "thinks" : ""].filter(Boolean).join(", ")
        : `not available: ${entry.restriction_reason ?? "blocked"}`,
    ]);
    return {
      tell: `${table(["Model", "Good for", ""], rows)}\n\nChoose one with \`/model\`, or let the workspace choose: \`/model best\`, \`balanced\`, \`fastest\`.`,
    };
  },
};

export const agents: Command = {
  name: "agents",
  help: "Show the agents that you can mention",
  options: [],
  order: "now",
  deed: "list",
  async run(_options, { lists, signal }) {
    const all = await lists.agents({ signal });
    if (all.length === 0) return { tell: "The workspace has no agents of yours yet." };
    const rows = all.map((entry) => [`@${entry.tag}`, entry.name, entry.description ?? ""]);
    return {
      tell: `${table(["Tag", "Agent", ""], rows)}\n\nWrite a tag in a message to have that agent answer it, or choose one for the whole thread with \`/agent\`.`,
    };
  },
};

const chosen = (settings: Settings): string[][] => [
  [
    "Model",
    settings.agent !== undefined
      ? "the agent's"
      : (settings.model?.name ?? settings.auto ?? (settings.project === undefined ? "balanced" : "the project's")),
  ],
  ["Agent", settings.agent?.name ?? "none"],
  ["Project", settings.project?.name ?? "none"],
  ["Style", settings.style ?? "prompty"],
  ["Effort", settings.effort ?? "the model's usual"],
];

export const status: Command = {
  name: "status",
  help: "Show what is chosen here, and what is running",
  options: [],
  order: "now",
  deed: "send",
  async run(_options, { command, settings, threads, store, lists, signal }) {
    const thread = await threads.get(command.place);
    const open = await store.openIn(placeKey(command.place), laneLimit + 1);
    const reachable = await lists.models({ signal }).then(
      (all) => `reachable, ${all.length} models`,
      () => "not reachable",
    );
    const rows = [
      ...chosen(await settings.effective(command.place)),
      [
        "Conversation",
        thread === undefined
          ? "none yet"
          : `number ${thread.conversationId}, since ${new Date(thread.startedAt).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      ],
      ["Waiting or running", String(open.length)],
      ["Workspace", reachable],
    ];
    return { tell: table(["Here", ""], rows) };
  },
};
