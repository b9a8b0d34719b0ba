import type { z } from "zod";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/** What a definition defines, and others refer to by name. */
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
export type Kind = (typeof KINDS)[number];

export const KIND_WORDS: Readonly<Record<Kind, Sentence>> = {
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

/** What a name of this kind stands in: `query` orders of the connector erp is `erp:orders`. */
export const WITHIN: Partial<Record<Kind, Kind>> = {
  query: "connector",
  endpoint: "connector",
  screen: "app",
  menu: "app",
};

/** What a part of a schema means beyond its type; checks, masks and renames follow from it alone. */
export interface Mark {
  /** Of a map: its keys are names of this kind. Of a text: it is such a name. */
  readonly defines?: Kind;
  /** A map whose keys only say where its entries are: an app in `screens`, which `menus` defines too. */
  readonly groups?: Kind;
  readonly refers?: Kind;
  /** Never shown, sealed at rest. */
  readonly secret?: boolean;
  /** `${NAME}` in it stands for a variable of the environment. */
  readonly environment?: boolean;
  /** May be `$labels.<key>` instead of a text. */
  readonly text?: boolean;
}

const marks = new WeakMap<object, Mark>();

export function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  marks.set(schema, { ...marks.get(schema), ...mark });
  return schema;
}

export function markOf(schema: object): Mark | undefined {
  return marks.get(schema);
}
