import { assert } from "@std/assert";
import { type ProductProcess, startProcess } from "./processes.ts";

/** First administrator of a product with sign-in. */
export const ADMIN = { username: "admin", password: "Nine-quiet-bridges-3" };

/** Starts a product with sign-in. */
export function startGuarded(
  folder: string,
  environment: Record<string, string> = { SANDBOX_PA: "off" },
): Promise<ProductProcess> {
  return startProcess("start", {
    DATA_DIR: folder,
    AUTH: "on",
    ADMIN_PASSWORD: ADMIN.password,
    ...environment,
  });
}

/** API calls of the administrator or another user, who signs in once. */
export interface Administrator {
  readonly headers: Readonly<Record<string, string>>;
  post(path: string, body: unknown): Promise<unknown>;
  /** Creates a user whose own role has these permissions. */
  admit(
    who: { readonly username: string; readonly password: string; readonly display_name?: string },
    permissions: readonly string[],
  ): Promise<void>;
}

export async function administrate(
  { url }: { readonly url: string },
  { username, password } = ADMIN,
): Promise<Administrator> {
  const { access_token: token } = await post(url, "/auth/login", { username, password });
  const headers = { authorization: `Bearer ${token}` };
  return {
    headers,
    post: (path, body) => post(url, path, body, headers),
    async admit(who, permissions) {
      const role = `role of ${who.username}`;
      await post(url, "/admin/roles", { name: role, permissions }, headers);
      await post(url, "/admin/users", { ...who, roles: [role] }, headers);
    },
  };
}

async function post(url: string, path: string, body: unknown, headers: HeadersInit = {}) {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert(answer.ok, `${path}: ${answer.status} ${text}`);
  return JSON.parse(text || "null");
}
