/** Times as this person's browser writes them. */

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const wholeTime = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const longDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const dayWithYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

export const timeText = (at) => clockTime.format(at);
export const fullTime = (at) => wholeTime.format(at);
export const isSameDay = (a, b) => new Date(a).toDateString() === new Date(b).toDateString();

const dayMs = 24 * 60 * 60 * 1000;

export function dayText(at) {
  const now = Date.now();
  if (isSameDay(at, now)) return "Today";
  if (isSameDay(at, now - dayMs)) return "Yesterday";
  return (new Date(at).getFullYear() === new Date(now).getFullYear() ? longDay : dayWithYear).format(at);
}

const units = ["bytes", "KB", "MB", "GB"];

/** `1.4 MB`, with 1 KB = 1024 bytes. */
export function sizeText(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
