import type { Log } from "#src/ports/log.ts";
import type { Access } from "./guard.ts";

export interface Actor {
  /** `anonymous` while authentication is off. */
  readonly username: string;
  readonly permissions: readonly string[];
}

export type Language = "fr" | "en";

export interface HttpEnv {
  /** `language` is what `X-Service-Lang` asks for; without it each family has its own default. */
  Variables: { access: Access; log: Log; requestId: string; actor: Actor; language: Language | undefined };
}
