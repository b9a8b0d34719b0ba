import { say } from "#src/kernel/i18n/sentence.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  changeUser,
  createUser,
  setPassword,
  showRoles,
  showUser,
} from "#src/platform/access/mod.ts";
import { recordAudit, verifyAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Deps } from "#src/deps.ts";
import { callProduct } from "./call_product.ts";
import { chooseLanguage, type Io } from "./io.ts";

type User = NonNullable<Awaited<ReturnType<typeof showUser>>>;
type Role = Awaited<ReturnType<typeof showRoles>>[number];

/** Administration of users, in this process or through a running product. */
export interface AdminClient {
  user(username: string): Promise<User>;
  create(
    user: { username: string; password: string; display_name: string; roles: readonly string[] },
  ): Promise<void>;
  setPassword(username: string, password: string): Promise<void>;
  setRoles(username: string, roles: readonly string[]): Promise<void>;
  roles(): Promise<readonly Role[]>;
  rotateKeys(options: { forget: boolean }): Promise<string>;
  verifyAudit(): ReturnType<typeof verifyAudit>;
}

/** A user who can open the database could do everything anyway. */
const OPERATOR: Actor = {
  username: "service-admin",
  roles: ["admin"],
  permissions: permissionSet(["*"]),
};

export function directAdmin(deps: Deps, io: Io): AdminClient {
  return {
    async user(username) {
      const user = await showUser(deps, username.toLowerCase());
      if (!user) throw notFound("User", username);
      return user;
    },
    async create({ display_name: displayName, ...user }) {
      await createUser(deps, { ...user, displayName }, OPERATOR);
    },
    setPassword: (username, password) =>
      setPassword(deps, { username: username.toLowerCase(), password, by: OPERATOR }),
    setRoles: (username, roles) =>
      changeUser(deps, { username: username.toLowerCase(), change: { roles }, by: OPERATOR }),
    roles: () => showRoles(deps, chooseLanguage(io)),
    async rotateKeys(options) {
      const target = await deps.tokens.rotate(options);
      await recordAudit(deps, {
        actor: OPERATOR,
        event: "tokens.key_rotated",
        target,
        after: options,
      });
      return target;
    },
    verifyAudit: () => verifyAudit(deps),
  };
}

/** Administers users through the API of the product that runs on the data folder. */
export function remoteAdmin(url: string, io: Io): AdminClient {
  const call = (method: string, path: string, body?: unknown) =>
    callProduct<unknown>(io, `${url}${path}`, { method, body });
  const getPath = (username: string) => `/admin/users/${encodeURIComponent(username)}`;
  const notHere = () =>
    Promise.reject(
      new AppError("unavailable", say`Stop the product at ${url} first: it owns the data folder`),
    );
  return {
    user: async (username) => await call("GET", getPath(username)) as User,
    create: async (user) => void await call("POST", "/admin/users", user),
    setPassword: async (username, password) =>
      void await call("POST", `${getPath(username)}/password`, { password }),
    setRoles: async (username, roles) => void await call("PUT", getPath(username), { roles }),
    roles: async () => (await call("GET", "/admin/roles?limit=1000") as { roles: Role[] }).roles,
    rotateKeys: notHere,
    verifyAudit: notHere,
  };
}
