import { defineConfig } from "vitest/config";

/** Whole processes against each other and against the clock: they run after everything else, one file at a time. */
const alone = ["test/e2e/**/*.test.ts", "test/soak/**/*.test.ts"];

export default defineConfig({
  test: {
    // Processes, not threads: some tests measure memory, kill servers or load native modules.
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: { name: "parts", include: ["test/**/*.test.ts"], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: "processes", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
