/** What a piece of media costs, in credits. */
import { formatMoney, money } from "../../contract/money.ts";
import type { DecimalString } from "../../contract/records.ts";
import type { Made, MediaEntry, MediaRequest } from "../providers/media/port.ts";

/** Charged for a recording of which nobody says how long it is. */
const unknownSeconds = 60;

const madeSeconds = (made: Made, asked: number | undefined): number => asked ?? made.seconds ?? unknownSeconds;

/** Pictures by piece, films, music and transcripts by second, speech by character. */
export function mediaCost(entry: MediaEntry, request: MediaRequest, made: Made): DecimalString {
  const price = money(entry.price);
  switch (request.kind) {
    case "image":
      return formatMoney(price);
    case "video": {
      const each = request.resolution === undefined ? undefined : entry.video?.secondPrices[request.resolution];
      return formatMoney(money(each ?? entry.price).times(madeSeconds(made, request.seconds)));
    }
    case "speech":
      return formatMoney(price.times(request.text.length).div(1000));
    case "music":
      return formatMoney(price.times(madeSeconds(made, request.seconds)));
    case "transcription":
      return formatMoney(price.times(Math.ceil(madeSeconds(made, undefined))));
  }
}
