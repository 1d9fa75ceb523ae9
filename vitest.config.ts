import { defineConfig } from "vitest/config";

/** Whole processes against each other and against the clock: they run after everything else, one file at a time. */
const alone = ["test/e2e/**/*.test.ts", "test/soak/**/*.test.ts"];

export default defineConfig({
  test: {
    // Processes, not threads: some tests measure memory, kill servers or load native modules.
    pool: "forks",
    setupFiles: ["test/seed.ts"],
    // What hangs is ended. A busy machine is slow, not wrong: none of these is a measure of anything.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: "parts", include: ["test/**/*.test.ts"], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: "processes", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
