import { api } from "../../api/client.ts";
import { useRead } from "../../api/queries.ts";
import { listReadyRoles, type ReadyRole } from "./ready_roles.ts";

/** Loads all roles, since a partial list would mislead. */
const ALL = { query: { limit: 500 } };

export async function createReadyRole({ permissions, ...role }: ReadyRole): Promise<void> {
  await api.POST("/admin/roles", { body: { ...role, permissions: [...permissions] } });
}

/** Returns the roles of the installation, the ready-made ones, and the names that readers see. */
export function useRoles({ when = true }: { when?: boolean } = {}) {
  const { data, refetch } = useRead("/admin/roles", ALL, { when });
  const roles = data?.roles ?? [];
  const ready = data ? listReadyRoles(roles, data.templates) : [];
  const names = new Map(
    [...ready, ...roles].map((it) => [it.name, it.display_name || it.name]),
  );
  return {
    roles,
    ready,
    nameOf: (name: string) => names.get(name) ?? name,
    refetch,
  };
}
