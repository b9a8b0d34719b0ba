import type { Log } from "#src/ports/log.ts";
import type { Access } from "./guard.ts";

export interface Actor {
  /** `anonymous` while authentication is off. */
  readonly username: string;
  readonly permissions: readonly string[];
}

export type Language = "fr" | "en";

export interface HttpEnv {
  Variables: { access: Access; log: Log; requestId: string; actor: Actor; language: Language };
}
