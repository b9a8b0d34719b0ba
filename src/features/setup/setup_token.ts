import { createHash, randomBytes } from "node:crypto";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { isTokenHash, keepTokenHash } from "./store.ts";

/** So that nobody takes it for another token, wherever it turns up. */
const PREFIX = "setup-";

/**
 * A token that may move this installation to a server, once; made at its first start and told to whoever started it. Resolves to undefined
 * where one was made before. Kept as a hash.
 */
export async function makeSetupToken(db: Db): Promise<string | undefined> {
  const token = PREFIX + randomBytes(32).toString("base64url");
  return await keepTokenHash(db, hashOf(token)) ? token : undefined;
}

/** Who calls with the token in its `Authorization` header; undefined for whatever is not that token. */
export async function setupActor(
  db: Db,
  { authorization, address }: { authorization: string | undefined; address: string | undefined },
): Promise<Actor | undefined> {
  const token = /^Bearer +(setup-[\w-]{43})$/i.exec(authorization ?? "")?.[1];
  if (token === undefined || !await isTokenHash(db, hashOf(token))) return undefined;
  const permissions = permissionSet(["setup:write"]);
  return { username: "setup token", roles: [], permissions, address };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
