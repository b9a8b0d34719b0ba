import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { isSegment } from "#src/domain/permission/code.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Access } from "#src/ports/access.ts";
import type { Actor } from "#src/ports/access.ts";
import { EVERYBODY } from "#src/ports/accounts.ts";
import type { HttpEnv } from "./env.ts";
import { chooseLanguage } from "./language.ts";

export type { Access } from "#src/ports/access.ts";

/**
 * Permission that a caller needs. `public` needs no token, `authenticated` any valid token; other values are codes of
 * colon-separated segments.
 * - `{name}` stands for the path parameter of that name.
 * - `<name>` stands for a value found by the handler, which then calls `checkPermission` itself.
 * - ` | ` separates codes of which the handler checks one.
 */
export type Permission = "public" | "authenticated" | `${string}:${string}`;

/** Access for a trusted local trial (`AUTH=off`): everybody may do everything, on loopback only. */
export const openAccess: Access = {
  isOpen: true,
  authenticate: ({ address }) => Promise.resolve({ ...EVERYBODY, address }),
  allows: () => true,
  current: (actor) => Promise.resolve(actor),
  denied: () => Promise.resolve(),
  granting: () => Promise.resolve(undefined),
  forget() {},
};

/** Requires a permission. With `oneTime`, the setup token of the first start suffices. */
export function requirePermission(permission: Permission, { oneTime = false } = {}) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (permission !== "public") {
      const { access, address } = c.var;
      const call = { authorization: c.var.authorization ?? c.req.header("authorization"), address };
      const holder = oneTime ? await access.holderOfSetupToken?.(call) : undefined;
      const actor = holder ?? await access.authenticate(call);
      c.set("actor", { ...actor, audited: () => c.set("isAudited", true) });
      c.set("language", chooseLanguage(c, actor.language));
      const isCheckedHere = permission !== "authenticated" && !permission.includes("<");
      if (isCheckedHere && !holder) {
        await checkPermission(c, codeFor(permission, c));
      }
    }
    await next();
  });
}

/** Checks a permission that depends on data, such as the job of a run; throws 403. */
export async function checkPermission(c: Context<HttpEnv>, code: string): Promise<void> {
  const { access, actor, log } = c.var;
  const { method, path } = c.req;
  if (access.allows(actor, code)) {
    log.debug("access.granted", {
      user: actor.username,
      permission: code,
      grant: actor.permissions.grantOf(code),
      method,
      path,
    });
    return;
  }
  await access.denied(actor, { code, method, path });
  c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${code}"`);
  const roles = await access.granting(actor, code);
  throw new AppError("forbidden", say`The permission ${code} is missing`, {
    details: { permission: code, ...roles && { granted_by: roles } },
  });
}

/**
 * Fills `{name}` with the decoded parameters that the handler also receives. Refuses values that could be read as
 * several segments.
 */
function codeFor(permission: string, c: Context<HttpEnv>): string {
  return permission.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = c.req.param(name) ?? "";
    if (!isSegment(value)) {
      throw new AppError(
        "not_found",
        say`There is nothing named ${JSON.stringify(value.slice(0, 100))}`,
      );
    }
    return value;
  });
}

/** Throws AppError `forbidden` unless the caller holds `*`, the permission of everything. */
export function needEverything({ permissions }: Actor): void {
  if (permissions.codes.includes("*")) return;
  const missing = say`The permission ${"*"} is missing`;
  throw new AppError("forbidden", missing, { details: { permission: "*" } });
}
