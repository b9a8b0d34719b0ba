/** Permissions of which one lets the reader see some section. */
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
