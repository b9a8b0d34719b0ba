import type { MiddlewareHandler } from "hono";
import type { Access, Actor } from "#src/ports/access.ts";
import type { Log } from "#src/ports/log.ts";

export type { Actor } from "#src/ports/access.ts";

export type Language = "fr" | "en";

export interface HttpEnv {
  Variables: {
    /** Stands for the header of that name where a caller cannot send one. */
    authorization?: string;
    access: Access;
    log: Log;
    /** What answers a repeated `Idempotency-Key`; each route asks it after its guard. */
    once: MiddlewareHandler<HttpEnv> | undefined;
    requestId: string;
    actor: Actor;
    /** The caller's network address, where it is known. */
    address: string | undefined;
    /** What `X-Service-Lang` asks for; without it each family has its own default. */
    language: Language | undefined;
  };
}
