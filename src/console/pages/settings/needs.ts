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

/** The same for the page: a part of it at least. */
export const READS_SETTINGS: readonly string[] = [
  ...READS_SECTIONS,
  "templates:read",
  "files:read",
  "rules:read",
  "connectors:read",
];
