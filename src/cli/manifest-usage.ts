/** How `parley manifest` is used, apart from what it loads. */

export const manifestUsage = [
  "manifest slack [--http URL]                                    print Slack's app manifest; URL: where Slack reaches this server",
  "manifest discord                                               print what Discord is told of Parley: commands, intents, permissions",
] as const;
