interface DeathBudget {
  count(tenant: string): void;
  /** Ms until a child may be started for it again; 0: now. */
  waitOf(tenant: string): number;
}

/**
 * Limits the deaths of a tenant's children to `deaths` in `windowMs`; beyond it the tenant waits until the oldest
 * of them leaves the window.
 */
export function deathBudget(
  { deaths, windowMs }: { readonly deaths: number; readonly windowMs: number },
): DeathBudget {
  const times = new Map<string, number[]>();
  const recent = (tenant: string) => {
    const now = performance.now();
    const found = (times.get(tenant) ?? []).filter((it) => now - it < windowMs);
    if (found.length) times.set(tenant, found);
    else times.delete(tenant);
    return found;
  };
  return {
    count: (tenant) => {
      for (const other of [...times.keys()]) recent(other);
      times.set(tenant, [...recent(tenant), performance.now()].slice(-deaths));
    },
    waitOf: (tenant) => {
      const [oldest, ...others] = recent(tenant);
      if (oldest === undefined || others.length + 1 < deaths) return 0;
      return windowMs - (performance.now() - oldest);
    },
  };
}
