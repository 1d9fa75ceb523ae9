/** The route of a request, as Discord tells buckets apart. https://docs.discord.com/developers/topics/rate-limits */

export interface Route {
  /** `PATCH /channels/:id/messages/:id` */
  readonly route: string;
  /** The channel, server or webhook in it; empty where it has none. */
  readonly major: string;
}

export function routeOf(method: string, url: string): Route {
  const path = new URL(url).pathname.replace(
    /^.*?(?=\/(?:channels|guilds|webhooks|interactions|users|applications|gateway)\b)/,
    "",
  );
  const [, webhook, id] = /^\/webhooks\/(\d+\/[^/]+)|^\/(?:channels|guilds)\/([^/]+)/.exec(path) ?? [];
  const route = path.replace(/^\/webhooks\/\d+\/[^/]+/, "/webhooks/:id").replace(/\/\d+(?=\/|$)/g, "/:id");
  return { route: `${method.toUpperCase()} ${route}`, major: webhook ?? id ?? "" };
}
