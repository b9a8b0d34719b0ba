import { READS_SECTIONS } from "./needs.ts";

/** Parts of the settings in order; `name` and `group` are keys of labels in `SETTINGS`. */
export const PARTS = [
  { name: "templates", group: "invoicing", needs: ["templates:read"] },
  { name: "stylesheets", group: "invoicing", needs: ["files:read"] },
  { name: "rules", group: "invoicing", needs: ["rules:read"] },
  { name: "sections", group: "applications", needs: READS_SECTIONS },
  { name: "connectors", group: "applications", needs: ["connectors:read"] },
  { name: "pools", group: "applications", needs: ["connectors:read"] },
] as const;

/** Renames objects; without a readable part, that is all the page offers. */
const RENAMES = "settings:write";

/** Permissions of which one opens the page, since it shows at least one part or the page that renames. */
export const OPENS_SETTINGS: readonly string[] = [
  ...new Set([...PARTS.flatMap(({ needs }) => needs), RENAMES]),
];

export const pathOfPart = (name: typeof PARTS[number]["name"]) => `/settings/${name}`;
