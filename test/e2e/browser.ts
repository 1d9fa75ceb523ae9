/** A real Chromium for tests. Without one, tests that need it are left out; where `CI` is set they fail instead. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `CHROMIUM_PATH`, or the first that is found where distributions put it and on the path. */
function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(env["CHROMIUM_PATH"] === undefined ? [] : [env["CHROMIUM_PATH"]]),
    "/usr/bin/chromium",
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find(executable);
}

const found = findChromium(process.env);

/** Put to `describe.skipIf`: true only where nobody promised a browser. */
export const withoutBrowser = found === undefined && !process.env["CI"];

/** The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  if (found === undefined) throw new Error("expected Chromium: install it, or name it in CHROMIUM_PATH");
  return chromium.launch({
    executablePath: found,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
