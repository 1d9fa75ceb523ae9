/** What a thread or channel has chosen, and how it reaches the workspace. */
import type { FollowUpBody, StartBody } from "../contract/bodies.ts";
import type { AutoModelType, ToolChoice } from "../contract/records.ts";
import type { KeyValueMap } from "./maps.ts";
import { channelOf, placeKey, type Place } from "./place.ts";

export interface Settings {
  /** Shown name beside each id, so that no list has to be read to show it. */
  readonly model?: { readonly id: number; readonly name: string };
  readonly auto?: AutoModelType;
  readonly style?: string;
  readonly effort?: string;
  readonly agent?: { readonly id: number; readonly name: string };
  readonly project?: { readonly id: number; readonly name: string };
  readonly worldKnowledge?: boolean;
  readonly flashMode?: boolean;
  readonly tools?: readonly ToolChoice[];
  readonly knowledgeBaseIds?: readonly number[];
  /** Messages of a thread that Parley takes part in are for it (`thread`), or only those that mention it. */
  readonly followUps?: FollowUps;
  /** How answers grow: as the platform serves best, by edits, or by the platform's own streams. */
  readonly streaming?: Streaming;
  /** Recordings of messages are written down for the answer, or left as files; without it, where the workspace can. */
  readonly transcribe?: boolean;
  /** False: without the quiet last line. */
  readonly footer?: boolean;
}

export const followUpPolicies = ["thread", "mention"] as const;
export type FollowUps = (typeof followUpPolicies)[number];
export const streamings = ["auto", "edit", "native"] as const;
export type Streaming = (typeof streamings)[number];

export interface SettingsBook {
  /** What this place itself has chosen. */
  own(place: Place): Promise<Settings>;
  /** The thread's own choices over its channel's. */
  effective(place: Place): Promise<Settings>;
  /** Changes what this place itself has chosen; `undefined` takes a choice back. */
  change(place: Place, change: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }): Promise<void>;
}

export function createSettings(map: KeyValueMap<Settings>): SettingsBook {
  const own = async (place: Place): Promise<Settings> => (await map.get(placeKey(place))) ?? {};
  return {
    own,
    async effective(place) {
      const channel = await own(channelOf(place));
      return place.thread === null ? channel : mergeChoices(channel, await own(place));
    },
    async change(place, change) {
      const merged = Object.entries({ ...(await own(place)), ...change }).filter(([, value]) => value !== undefined);
      await map.set(placeKey(place), Object.fromEntries(merged) as Settings);
    },
  };
}

/** A thread that chose a model, an automatic mode, an agent or a project does not get another of these from its channel. */
function mergeChoices(channel: Settings, thread: Settings): Settings {
  if (thread.model === undefined && thread.auto === undefined && thread.agent === undefined) return { ...channel, ...thread };
  const { model: _model, auto: _auto, agent: _agent, ...rest } = channel;
  return { ...rest, ...thread };
}

/** The fields that every send carries. */
export const followUpFields = (settings: Settings): Omit<FollowUpBody, "message" | "attachments"> => ({
  ...(settings.worldKnowledge === undefined ? {} : { world_knowledge: settings.worldKnowledge }),
  ...(settings.flashMode === undefined ? {} : { flash_mode: settings.flashMode }),
  ...(settings.tools === undefined ? {} : { tools: settings.tools.map((tool) => ({ ...tool })) }),
  ...(settings.knowledgeBaseIds === undefined ? {} : { knowledge_base_ids: [...settings.knowledgeBaseIds] }),
});

/**
 * The fields that only a start carries. Exactly one of agent, model and automatic mode is sent;
 * with a project and none of them chosen, none is, so that the project's own model counts.
 */
export function startFields(settings: Settings): Omit<StartBody, keyof FollowUpBody | "invited_agent_ids"> {
  const style = settings.style === undefined ? {} : { ai_style: settings.style };
  const effort = settings.effort === undefined ? {} : { reasoning_effort: settings.effort };
  if (settings.agent !== undefined) return { agent_id: settings.agent.id };
  if (settings.auto !== undefined) return { auto_model_type: settings.auto, ...style, ...effort };
  if (settings.model !== undefined) return { ai_model_id: settings.model.id, ...style, ...effort };
  if (settings.project !== undefined) return { ...style, ...effort };
  return { auto_model_type: "balanced", ...style, ...effort };
}
