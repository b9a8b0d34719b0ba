import { covers } from "../../api/me.tsx";

/** Levels of the matrix of a role, each with more rights than the one before. */
export const LEVELS = ["read", "act", "administer"] as const;
type Level = (typeof LEVELS)[number];

/** Permission codes of each cell of the matrix, by area and level. */
export const AREAS = {
  invoices: {
    read: ["invoices:read", "live:read"],
    act: ["invoices:run", "invoices:status"],
  },
  files: { read: ["files:read"], act: ["files:write"], administer: ["extract:run"] },
  directory: { read: ["directory:read"] },
  messages: { act: ["email:send"], administer: ["notifications:test"] },
  queries: { read: ["queries:read"], act: ["queries:write"] },
  apps: {
    read: [
      "screens:read",
      "dashboards:read",
      "charts:read",
      "screen:*:*",
      "menu:*:*",
      "dashboard:*",
      "chart:*",
      "sql:*:*",
      "api:*:*",
    ],
    act: ["sql:*:*:write"],
  },
  jobs: { read: ["jobs:read"], act: ["job:*"], administer: ["settings:jobs"] },
  assistant: { act: ["ai:chat", "ai:tool:*"], administer: ["ai:share"] },
  templates: { read: ["templates:read"], administer: ["templates:write"] },
  rules: { read: ["rules:read"], administer: ["rules:write"] },
  settings: {
    read: ["settings:read", "connectors:read"],
    administer: [
      "settings:pools",
      "settings:connectors",
      "settings:dictionary",
      "settings:menus",
      "settings:screens",
      "settings:dashboards",
      "settings:charts",
      "settings:technical",
      "settings:reload",
    ],
  },
  people: { read: ["users:read"], administer: ["users:write"] },
  audit: { read: ["audit:read", "logs:read"] },
  installation: {
    read: ["setup:read", "license:read"],
    administer: ["setup:write", "license:write"],
  },
} as const satisfies Record<string, Partial<Record<Level, readonly string[]>>>;

export type Area = keyof typeof AREAS;
export const AREA_NAMES = Object.keys(AREAS) as readonly Area[];

export interface RightCell {
  readonly area: Area;
  readonly level: Level;
  readonly codes: readonly string[];
}

/** Returns the cells of an area; a level without codes has no cell. */
export function listCells(area: Area): readonly RightCell[] {
  const levels: Partial<Record<Level, readonly string[]>> = AREAS[area];
  return LEVELS.flatMap((level) => {
    const codes = levels[level];
    return codes ? [{ area, level, codes }] : [];
  });
}

/**
 * Codes that a cell grants, but that alone show nothing: one keeps the pages of other rights current, and no page uses
 * the other.
 */
const SUPPLEMENTS: readonly string[] = ["live:read", "settings:technical"];

/** Returns the codes of a cell that let the holder do something by themselves. */
export function listTelling({ codes }: RightCell): readonly string[] {
  return codes.filter((it) => !SUPPLEMENTS.includes(it));
}

/** Tells how many of a cell's telling codes these grants include. */
export function measureCell(
  cell: RightCell,
  grants: readonly string[],
): "all" | "some" | "none" {
  const codes = listTelling(cell);
  const count = codes.filter((code) => grants.some((it) => covers(it, code))).length;
  return count === codes.length ? "all" : count > 0 ? "some" : "none";
}

/**
 * Returns the codes of a role after a press on a cell. A level brings the lower ones of its area, and goes with the
 * higher ones.
 */
export function pressCell(
  cell: RightCell,
  { own, isOn }: { own: readonly string[]; isOn: boolean },
): string[] {
  const rank = LEVELS.indexOf(cell.level);
  const touched = listCells(cell.area).filter(({ level }) =>
    isOn ? LEVELS.indexOf(level) <= rank : LEVELS.indexOf(level) >= rank
  ).flatMap(({ codes }) => codes);
  if (!isOn) return own.filter((it) => !touched.includes(it));
  return [...own, ...touched.filter((code) => !own.some((it) => covers(it, code)))];
}

interface RoleCodes {
  readonly name: string;
  readonly inherits_from: readonly string[];
  readonly effective_permissions: readonly string[];
}

/** Returns the codes that a role has through the roles it inherits from. */
export function collectInherited(
  roles: readonly RoleCodes[],
  parents: readonly string[],
): readonly string[] {
  return roles.filter(({ name }) => parents.includes(name))
    .flatMap((it) => it.effective_permissions);
}

/** Returns the names of a role and of every role that inherits from it. */
export function collectHeirs(roles: readonly RoleCodes[], name: string): readonly string[] {
  const found = new Set([name]);
  for (const known of found) {
    for (const it of roles) if (it.inherits_from.includes(known)) found.add(it.name);
  }
  return [...found];
}

/** Returns the codes of `codes` that `others` do not include. */
export function findBeyond(codes: readonly string[], others: readonly string[]): string[] {
  return [...new Set(codes)].filter((code) => !others.some((it) => covers(it, code)));
}

export interface Contribution {
  readonly permission: string;
  readonly roles: readonly string[];
}

interface GrantedRight {
  /** Cell of the matrix; undefined stands for all rights. */
  readonly cell: RightCell | undefined;
  readonly share: "all" | "some";
  readonly roles: readonly string[];
}

/** Every cell of the matrix, in its order. */
export const CELLS: readonly RightCell[] = AREA_NAMES.flatMap(listCells);

/** Returns grants as cells of the matrix, and the codes that no cell has. */
export function listRights(contributions: readonly Contribution[]): {
  readonly rights: readonly GrantedRight[];
  readonly others: readonly Contribution[];
} {
  const everything = contributions.find((it) => it.permission === "*");
  if (everything) {
    return { rights: [{ cell: undefined, share: "all", roles: everything.roles }], others: [] };
  }
  const grants = contributions.map((it) => it.permission);
  const rights = CELLS.flatMap((cell): GrantedRight[] => {
    const share = measureCell(cell, grants);
    return share === "none" ? [] : [{ cell, share, roles: listGivers(cell, contributions) }];
  });
  const beyond = findBeyond(grants, rights.flatMap((it) => it.cell?.codes ?? []));
  return { rights, others: contributions.filter((it) => beyond.includes(it.permission)) };
}

/** Returns the roles that grant at least one telling code of a cell. */
export function listGivers(
  cell: RightCell,
  contributions: readonly Contribution[],
): readonly string[] {
  const codes = listTelling(cell);
  const giving = contributions.filter((it) => codes.some((code) => covers(it.permission, code)));
  return [...new Set(giving.flatMap((it) => it.roles))].toSorted();
}
