/** Whoever holds one of these reads a section at least. */
export const READS_SECTIONS: readonly string[] = [
  "raw",
  "pools",
  "connectors",
  "dictionary",
  "menus",
  "screens",
  "dashboards",
  "charts",
  "jobs",
].map((it) => `settings:${it}`);

/** Whoever holds one of these may open the page: a part of it at least is theirs to read. */
export const READS_SETTINGS: readonly string[] = [
  ...READS_SECTIONS,
  "templates:read",
  "files:read",
  "rules:read",
  "connectors:read",
];
