export interface RoleDefinition {
  readonly name: string;
  readonly inheritsFrom: readonly string[];
  readonly permissions: readonly string[];
}
export type RoleBook = ReadonlyMap<string, RoleDefinition>;

/** Returns the roles themselves and all they inherit from; unknown names are left out. */
export function computeClosure(book: RoleBook, names: Iterable<string>): string[] {
  const reached = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const role = book.get(name);
    if (!role || reached.has(name)) continue;
    reached.add(name);
    open.push(...role.inheritsFrom);
  }
  return [...reached];
}

/** Returns each code these roles give, with the roles that contribute it, both sorted. */
export function collectContributions(
  book: RoleBook,
  names: Iterable<string>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of computeClosure(book, names).sort()) {
    for (const code of book.get(name)?.permissions ?? []) {
      found.set(code, [...found.get(code) ?? [], name]);
    }
  }
  return new Map([...found].sort(([a], [b]) => a < b ? -1 : 1));
}

export function effectiveCodes(book: RoleBook, names: Iterable<string>): string[] {
  return [...collectContributions(book, names).keys()];
}

/**
 * Returns the role and every role that inherits from it, directly or not: whose members a change of it concerns.
 */
export function findHeirs(book: RoleBook, name: string): string[] {
  return [...book.keys()].filter((it) => computeClosure(book, [it]).includes(name));
}

/** Returns the path from a role back to itself (`a`, `b`, `a`), or undefined without a cycle. */
export function cycleThrough(book: RoleBook, name: string): string[] | undefined {
  const seen = new Set<string>();
  const search = (at: string, path: readonly string[]): string[] | undefined => {
    for (const next of book.get(at)?.inheritsFrom ?? []) {
      if (next === name) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = search(next, [...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  return search(name, [name]);
}
