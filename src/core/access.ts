/** Who is answered. */
import type { Inbound } from "./inbound.ts";

/** `ignore`: no turn at all, and nothing is told, as an answer would start two bots talking to each other. */
export type Judgement = "answer" | "ignore";

/** Bots, webhooks and Parley itself are never answered. */
export const judge = (inbound: Inbound): Judgement => (inbound.author.bot === true ? "ignore" : "answer");
