import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomBytes } from "node:crypto";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { isTokenHash, keepTokenHash } from "./store.ts";

/** Prefix that distinguishes the token from others wherever it appears. */
const PREFIX = "setup-";

/**
 * Creates a single-use token that may move this installation to a server, at its first start. Stores only its hash.
 * Resolves to undefined when one was created before.
 */
export async function makeSetupToken(db: Db): Promise<string | undefined> {
  const token = PREFIX + randomBytes(32).toString("base64url");
  return await keepTokenHash(db, computeSha256(token)) ? token : undefined;
}

/** Returns the actor for the token in the `Authorization` header; undefined for any other value. */
export async function setupActor(
  db: Db,
  { authorization, address }: { authorization: string | undefined; address: string | undefined },
): Promise<Actor | undefined> {
  const token = /^Bearer +(setup-[\w-]{43})$/i.exec(authorization ?? "")?.[1];
  if (token === undefined || !await isTokenHash(db, computeSha256(token))) return undefined;
  const permissions = permissionSet(["setup:write"]);
  return { username: "setup token", roles: [], permissions, address };
}
