/** Property tests try the same cases each time, so that a change is judged by what it changes. `PROPERTY_SEED=2 npm test` tries others. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
