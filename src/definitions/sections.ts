import type { z } from "zod";
import { SETTINGS_SECTIONS } from "#src/domain/permission/given_roles.ts";
import { Charts } from "./charts.ts";
import { Connectors } from "./connectors.ts";
import { Dashboards } from "./dashboards.ts";
import { Dictionary } from "./dictionary.ts";
import { Jobs } from "./jobs.ts";
import { LanguagePack } from "./language_pack.ts";
import { Menus } from "./menus.ts";
import { Pools } from "./pools.ts";
import { Screens } from "./screens.ts";
import { NAME } from "./words.ts";

/** One schema for each kind of section; all else about them is the same. */
const SCHEMAS = {
  pools: Pools,
  connectors: Connectors,
  dictionary: Dictionary,
  menus: Menus,
  screens: Screens,
  dashboards: Dashboards,
  charts: Charts,
  jobs: Jobs,
} as const satisfies Record<(typeof SETTINGS_SECTIONS)[number], z.ZodType>;

export const SECTIONS = SETTINGS_SECTIONS;
export type Section = (typeof SECTIONS)[number];
/** Content of the sections, validated as written. */
export type Definitions = { readonly [S in Section]: z.infer<(typeof SCHEMAS)[S]> };
export type Pack = z.infer<typeof LanguagePack>;

/** A section by its name, or a language pack: `i18n/fr`, of one app `i18n/sales/fr`. */
export type SectionName = Section | `i18n/${string}`;

const PACK = /^i18n\/(?:([^/]+)\/)?([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)$/;

export function isSectionName(text: string): text is SectionName {
  return SECTIONS.some((it) => it === text) || findPack(text) !== undefined;
}

/** Returns the language of a pack and its app, where it is of one. */
export function findPack(name: string): { language: string; app: string | undefined } | undefined {
  const [, app, language] = PACK.exec(name) ?? [];
  if (language === undefined || app !== undefined && !NAME.test(app)) return undefined;
  return { language, app };
}

export function getSchema(name: SectionName): z.ZodType {
  return name.startsWith("i18n/") ? LanguagePack : SCHEMAS[name as Section];
}

/** Returns the file name of a section in a folder. */
export function getFile(name: SectionName): string {
  return `${name}.yaml`;
}
