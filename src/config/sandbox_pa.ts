import { z } from "zod";
import { readEnvironment, whole } from "./environment.ts";

const Environment = z.object({
  PORT: whole(0, 65535).default(8085),
  HOST: z.string().min(1).default("127.0.0.1"),
  HOST_NAMES: z.string().default(""),
  DATA_DIR: z.string().min(1).optional(),
  CLIENT_ID: z.string().min(1).default("sandbox"),
  CLIENT_SECRET: z.string().min(1).default("sandbox"),
});

/** Loads the configuration of a standalone sandbox PA. Without `DATA_DIR` it stores nothing. */
export function loadSandboxConfig(env: Readonly<Record<string, string | undefined>>) {
  const e = readEnvironment(Environment, env);
  return {
    port: e.PORT,
    host: e.HOST,
    /** Accepted host names, in addition to those of this machine and `host`. */
    names: e.HOST_NAMES.toLowerCase().split(",").map((it) => it.trim()).filter(Boolean),
    dataDir: e.DATA_DIR,
    clientId: e.CLIENT_ID,
    clientSecret: e.CLIENT_SECRET,
  };
}
