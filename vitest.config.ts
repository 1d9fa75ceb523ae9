import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Processes, not threads: some tests measure memory, kill servers or load native modules.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 15_000 } },
  },
});
