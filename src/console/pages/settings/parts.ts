import { READS_SECTIONS } from "./needs.ts";

/** Parts of the settings, in their order; `name` is what `SETTINGS` calls them. */
export const PARTS = [
  { name: "sections", needs: READS_SECTIONS },
  { name: "templates", needs: ["templates:read"] },
  { name: "stylesheets", needs: ["files:read"] },
  { name: "rules", needs: ["rules:read"] },
  { name: "connectors", needs: ["connectors:read"] },
  { name: "pools", needs: ["connectors:read"] },
  { name: "rename", needs: ["settings:write"] },
] as const;

/** Whoever holds one of these may open the page: a part of it at least is theirs. */
export const OPENS_SETTINGS: readonly string[] = [...new Set(PARTS.flatMap(({ needs }) => needs))];

export const pathOfPart = (name: typeof PARTS[number]["name"]) => `/settings/${name}`;
