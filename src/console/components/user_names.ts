import { useMay } from "../api/me.tsx";
import { useRead } from "../api/queries.ts";

/** Most names offered; others are typed. */
const MAX_USERS = 200;

/** Returns the names of users, to offer them in a filter; none to a reader who may not list users. */
export function useUserNames(): readonly string[] {
  const canList = useMay()("users:read");
  const users = useRead("/admin/users", { query: { limit: MAX_USERS } }, { when: canList });
  return users.data?.users.map(({ username }) => username) ?? [];
}
