import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor, HttpEnv } from "./env.ts";

/**
 * What a caller must hold: `public` no token, `authenticated` any valid one, else a code of colon-separated segments.
 * `{name}` in a code stands for the path parameter of that name.
 */
export type Permission = "public" | "authenticated" | `${string}:${string}`;

/** Who may do what. Given to the app once; every route asks it. */
export interface Access {
  /** Resolves to the caller; throws 401. */
  authenticate(c: Context<HttpEnv>): Promise<Actor>;
  allows(actor: Actor, code: string): boolean;
}

/** For a trusted local trial (`AUTH=off`): everybody may do everything, on loopback only. */
export const openAccess: Access = {
  authenticate: () => Promise.resolve({ username: "anonymous", permissions: ["*"] }),
  allows: () => true,
};

const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export function requirePermission(permission: Permission) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (permission !== "public") {
      const actor = await c.var.access.authenticate(c);
      c.set("actor", actor);
      if (permission !== "authenticated") check(c, { actor, code: codeFor(permission, c) });
    }
    await next();
  });
}

function check(c: Context<HttpEnv>, { actor, code }: { actor: Actor; code: string }): void {
  if (c.var.access.allows(actor, code)) {
    c.var.log.debug("access.granted", { user: actor.username, permission: code, path: c.req.path });
    return;
  }
  throw new AppError("forbidden", `The permission ${code} is missing`, { details: { permission: code } });
}

/** Fills `{name}` from the decoded parameters, refusing any that could read as more than one segment. */
function codeFor(permission: string, c: Context<HttpEnv>): string {
  return permission.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = c.req.param(name) ?? "";
    if (!SEGMENT.test(value)) throw new AppError("not_found", `There is nothing named ${JSON.stringify(value)}`);
    return value;
  });
}
