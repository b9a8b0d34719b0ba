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
