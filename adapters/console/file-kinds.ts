/** What a browser can show of a file without running anything; SVG is not among it, as it can carry script. */
const kinds = {
  image: new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  audio: new Set(["audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/wave", "audio/x-wav", "audio/webm", "audio/flac"]),
  video: new Set(["video/mp4", "video/webm", "video/ogg"]),
} as const;

export type FileKind = keyof typeof kinds;

/** Null: it is only offered for download. */
export const kindOf = (mediaType: string): FileKind | null =>
  (Object.keys(kinds) as FileKind[]).find((kind) => kinds[kind].has(mediaType)) ?? null;
