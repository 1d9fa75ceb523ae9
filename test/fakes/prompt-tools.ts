/** Tools of a fake workspace: what tells of a prompt's variables, and one that changes something. */
import type { FakeTool } from "./workspace.ts";

/** As the embedded workspace answers for the prompt “Weekly update”. */
export const getPrompt: FakeTool = {
  name: "get_prompt",
  description: "Reads a prompt.",
  inputSchema: { type: "object", required: ["id"], properties: { id: { anyOf: [{ type: "integer" }, { type: "string" }] } } },
  answer: () => ({
    name: "Weekly update",
    current_version: {
      content: "Write about {{topic}} in {{tone}}.",
      variables: [
        { ID: 11, slug: "topic", name: "Topic", data_type: "text", required: true, sort: 1 },
        { ID: 12, slug: "tone", name: "Tone", data_type: "select", default_value: "calm", sort: 2, options: ["calm", "loud"] },
      ],
    },
  }),
};

export const createProject: FakeTool = {
  name: "create_project",
  description: "Makes a project.",
  inputSchema: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, public: { type: "boolean" }, members: { type: "array", items: { type: "integer" } } },
  },
  answer: ({ name }) => ({ ID: 5, name }),
};
