/** Slack's documented rate limits: each method in each workspace has its own window, posting also one for each channel. */

interface Window {
  readonly count: number;
  readonly ms: number;
}

const minute = 60_000;
const tier2: Window = { count: 20, ms: minute };
const tier3: Window = { count: 50, ms: minute };
const tier4: Window = { count: 100, ms: minute };

/** Calls of a method in one workspace. Methods that are not listed are not limited here. */
const perMethod: Readonly<Record<string, Window>> = {
  "chat.update": tier3,
  "chat.delete": tier3,
  "reactions.add": tier3,
  "reactions.remove": tier3,
  "conversations.info": tier3,
  "usergroups.users.list": tier2,
  "conversations.history": tier3,
  "conversations.replies": tier3,
  "conversations.join": tier3,
  "conversations.open": tier3,
  "agents.sessions.setStatus": tier3,
  "agents.sessions.rename": tier3,
  "chat.appendStream": tier4,
  "chat.postEphemeral": tier4,
  "files.getUploadURLExternal": tier4,
  "files.completeUploadExternal": tier4,
  "files.info": tier4,
  "users.info": tier4,
  "views.open": tier4,
  "views.update": tier4,
  "views.publish": tier4,
  "assistant.threads.setTitle": tier4,
  "assistant.threads.setSuggestedPrompts": tier4,
  "chat.startStream": tier2,
  "chat.stopStream": tier2,
  "assistant.threads.setStatus": { count: 600, ms: minute },
  "chat.postMessage": { count: 300, ms: minute },
};

/** "One message per second per channel, short bursts allowed": the mean counts over a few seconds. */
const perChannel: Window = { count: 5, ms: 5_000 };

export interface Rates {
  /** Counts a call. @returns seconds to wait when it is one too many, else null */
  take(method: string, channel: string): number | null;
}

/** @param speed so many times as fast as documented */
export function createRates(now: () => number, speed = 1): Rates {
  const taken = new Map<string, number[]>();
  const open = (key: string, window: Window): number | null => {
    const at = now();
    const ms = window.ms / speed;
    const recent = (taken.get(key) ?? []).filter((time) => time > at - ms);
    taken.set(key, recent);
    const oldest = recent[0];
    return recent.length < window.count || oldest === undefined ? null : Math.max(1, Math.ceil((oldest + ms - at) / 1000));
  };
  return {
    take(method, channel) {
      const windows: [string, Window][] = [];
      const own = perMethod[method];
      if (own !== undefined) windows.push([method, own]);
      if (method === "chat.postMessage") windows.push([`${method}:${channel}`, perChannel]);
      for (const [key, window] of windows) {
        const wait = open(key, window);
        if (wait !== null) return wait;
      }
      for (const [key] of windows) taken.get(key)?.push(now());
      return null;
    },
  };
}
