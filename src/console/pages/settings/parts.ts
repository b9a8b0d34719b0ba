import { READS_SECTIONS } from "./needs.ts";

/** Parts of the settings in order; `name` is the key of the label in `SETTINGS`. */
export const PARTS = [
  { name: "sections", needs: READS_SECTIONS },
  { name: "templates", needs: ["templates:read"] },
  { name: "stylesheets", needs: ["files:read"] },
  { name: "rules", needs: ["rules:read"] },
  { name: "connectors", needs: ["connectors:read"] },
  { name: "pools", needs: ["connectors:read"] },
] as const;

/** Renames objects; without a readable part, that is all the page offers. */
const RENAMES = "settings:write";

/** Permissions of which one opens the page, since it shows at least one part or the page that renames. */
export const OPENS_SETTINGS: readonly string[] = [
  ...new Set([...PARTS.flatMap(({ needs }) => needs), RENAMES]),
];

export const pathOfPart = (name: typeof PARTS[number]["name"]) => `/settings/${name}`;
