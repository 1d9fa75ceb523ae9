/** Several Parleys as processes of their own, on one PostgreSQL and one workspace. */
import { randomBytes } from "node:crypto";
import { patchVariable, type Patch } from "../soak/patches.ts";
import { newSchema } from "../store/postgres.ts";
import { startParley, type Parley } from "./parley.ts";

export interface Replicas {
  readonly all: readonly Parley[];
  /** What they all are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** One more. */
  add(): Promise<Parley>;
  close(): Promise<void>;
}

export interface ReplicasOptions {
  /** What is changed in the replicas' source as it is loaded. */
  readonly patches?: readonly Patch[];
  /** What the workspace is started with beside the usual, such as its models. */
  readonly workspace?: Readonly<Record<string, string>>;
}

/** @param env of the platforms */
export async function startReplicas(
  count: number,
  env: Readonly<Record<string, string>>,
  { patches = [], workspace: models = {} }: ReplicasOptions = {},
): Promise<Replicas> {
  const schema = await newSchema();
  const ownerKey = `PARLEY-API-${randomBytes(32).toString("hex")}`;
  const workspace = await startParley({ WORKSPACE_API_KEY: ownerKey, LOG_LEVEL: "warn", ...models }, { command: "workspace" });
  const shared = {
    DATABASE_URL: schema.url,
    WORKSPACE_BASE_URL: workspace.url,
    WORKSPACE_API_KEY: ownerKey,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "info",
    ...(patches.length === 0 ? {} : { [patchVariable]: JSON.stringify(patches) }),
    ...env,
  };
  const flags = patches.length === 0 ? [] : ["--import", "./test/soak/patches.ts"];
  const all: Parley[] = [];
  const replicas: Replicas = {
    all,
    env: shared,
    async add() {
      const parley = await startParley(shared, { flags });
      all.push(parley);
      return parley;
    },
    async close() {
      await Promise.all(all.map((parley) => parley.close()));
      await workspace.close();
      await schema.drop();
    },
  };
  try {
    await Promise.all(Array.from({ length: count }, () => replicas.add()));
  } catch (thrown) {
    await replicas.close();
    throw thrown;
  }
  return replicas;
}
