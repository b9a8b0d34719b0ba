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

/** Permissions of which one opens the page, since it shows at least one part. */
export const OPENS_SETTINGS: readonly string[] = [...new Set(PARTS.flatMap(({ needs }) => needs))];

export const pathOfPart = (name: typeof PARTS[number]["name"]) => `/settings/${name}`;
