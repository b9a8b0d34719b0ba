import type { z } from "zod";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** Kinds of objects that a definition creates and others refer to by name. */
const KINDS = [
  "pool",
  "connector",
  "query",
  "endpoint",
  "app",
  "screen",
  "menu",
  "dashboard",
  "chart",
  "job",
  "lookup",
  "column",
  "label",
  "language",
] as const;
export type DefinitionKind = (typeof KINDS)[number];

export const KIND_WORDS: Readonly<Record<DefinitionKind, Sentence>> = {
  pool: say`pool`,
  connector: say`connector`,
  query: say`query`,
  endpoint: say`endpoint`,
  app: say`app`,
  screen: say`screen`,
  menu: say`menu item`,
  dashboard: say`dashboard`,
  chart: say`chart`,
  job: say`job`,
  lookup: say`lookup`,
  column: say`column`,
  label: say`label`,
  language: say`language`,
};

/** Kind of the object that contains a name: the `query` orders of the connector erp is `erp:orders`. */
export const WITHIN: Partial<Record<DefinitionKind, DefinitionKind>> = {
  query: "connector",
  endpoint: "connector",
  screen: "app",
  menu: "app",
};

/** Meaning of a part of a schema beyond its type; checks, masks and renames all follow from it. */
export interface SchemaMark {
  /** Kind of the names here: the keys of a map, or a text itself. */
  readonly defines?: DefinitionKind;
  /** Kind of keys that only group entries defined elsewhere: an app in `screens`, which `menus` defines too. */
  readonly groups?: DefinitionKind;
  readonly refers?: DefinitionKind;
  /** Never shown, sealed at rest. */
  readonly secret?: boolean;
  /** True if `${NAME}` in it is a variable of the environment. */
  readonly environment?: boolean;
  /** May be `$labels.<key>` instead of a text. */
  readonly text?: boolean;
}

const marks = new WeakMap<object, SchemaMark>();

export function addMark<S extends z.ZodType>(schema: S, mark: SchemaMark): S {
  marks.set(schema, { ...marks.get(schema), ...mark });
  return schema;
}

export function findMark(schema: object): SchemaMark | undefined {
  return marks.get(schema);
}
