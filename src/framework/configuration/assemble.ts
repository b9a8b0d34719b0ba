import { findQueryProblem, type QueryProblem } from "#src/definitions/queries.ts";
import { problemsOfUse } from "#src/definitions/uses.ts";
import { isRecord } from "#src/definitions/walk.ts";
import { OWN_POOL, type PoolDefinition } from "#src/definitions/pools.ts";
import { listCodes } from "#src/definitions/codes.ts";
import { type Definition, type Reference, shownName } from "#src/definitions/links.ts";
import { type DefinitionKind, KIND_WORDS } from "#src/definitions/marks.ts";
import {
  type Definitions,
  findPack,
  type Pack,
  type Section,
  type SectionName,
} from "#src/definitions/sections.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { atOnce, runYielding } from "#src/kernel/run_yielding.ts";
import { nearest } from "#src/kernel/text.ts";
import type {
  CheckedSection,
  ConfigurationProblem,
  GivenPools,
  LocatedDefinition,
  Snapshot,
} from "#src/ports/configuration.ts";
import { MAX_PROBLEMS, type TextPosition } from "#src/ports/yaml.ts";
import { locateInSql } from "./locate_in_sql.ts";

/** A reference that leads nowhere. `key` stays the same when lines above it are added or removed. */
export interface BrokenReference extends ConfigurationProblem {
  readonly key: string;
}

/** All sections together. */
export interface Assembled {
  readonly sections: ReadonlyMap<SectionName, CheckedSection>;
  readonly snapshot: Snapshot;
  /** Problems of single sections, and conflicts between definitions such as duplicate names and cycles. */
  readonly problems: readonly ConfigurationProblem[];
  readonly broken: readonly BrokenReference[];
  /** Permission codes that exist because something is defined. */
  readonly codes: ReadonlySet<string>;
}

const NO_POOLS: GivenPools = new Map();

/** Puts the sections together and follows their references; what leads nowhere is listed. */
export function assemble(
  sections: Sections,
  revision: number,
  givenPools: GivenPools = NO_POOLS,
): Assembled {
  return atOnce(assembling(sections, { revision, givenPools, isChecked: false }));
}

/**
 * Assembles sections like `assemble`, but yields to other work, because thousands of queries take long. `isChecked`
 * means that these same sections were assembled before without problems.
 */
export function assembleYielding(
  sections: Sections,
  revision: number,
  { givenPools, isChecked = false }: { givenPools: GivenPools; isChecked?: boolean },
): Promise<Assembled> {
  return runYielding(assembling(sections, { revision, givenPools, isChecked }));
}

type Sections = ReadonlyMap<SectionName, CheckedSection>;

/** Sets assembled last, newest first: a save assembles the stored, the new and the effective sections. */
let recent: readonly { readonly found: Assembled; readonly givenPools: GivenPools }[] = [];
const MAX_RECENT = 3;

/** Assembles the sections unless these same objects were assembled before. */
function* assembling(
  sections: Sections,
  { revision, givenPools, isChecked }: {
    revision: number;
    givenPools: GivenPools;
    isChecked: boolean;
  },
): Generator<void, Assembled> {
  const known = recent.find((it) =>
    it.givenPools === givenPools && areSame(it.found.sections, sections)
  );
  const found = known?.found ?? (yield* assembleNew(sections, { givenPools, isChecked }));
  recent = [{ found, givenPools }, ...recent.filter((it) => it !== known)].slice(0, MAX_RECENT);
  return { ...found, sections, snapshot: { ...found.snapshot, revision } };
}

function areSame(one: Sections, other: Sections): boolean {
  return one.size === other.size && [...one].every(([name, it]) => other.get(name) === it);
}

function* assembleNew(
  sections: Sections,
  { givenPools, isChecked }: { givenPools: GivenPools; isChecked: boolean },
): Generator<void, Assembled> {
  const index: Index = new Map();
  const problems = [...sections.values()].flatMap((it) => it.problems);
  const groups = new Set<string>();
  for (const section of sections.values()) {
    for (const definition of getDefinitions(section)) {
      const key = getKey(definition.kind, definition.name);
      if (index.has(key)) problems.push(twice(section, definition));
      else index.set(key, { definition, section });
      yield;
    }
    for (const { kind, name } of section.groups) groups.add(getKey(kind, name));
  }
  for (const [name, value] of givenPools) {
    const key = getKey("pool", name);
    if (!index.has(key)) index.set(key, { definition: givenDefinition(name, value) });
  }
  const isKnown = (kind: DefinitionKind, name: string) =>
    index.has(getKey(kind, name)) || groups.has(getKey(kind, name)) ||
    kind === "pool" && name === OWN_POOL;
  const broken: BrokenReference[] = [];
  const namesOf = namesByKind(index);
  for (const section of sections.values()) {
    for (const it of section.references) {
      if (isKnown(it.kind, it.name)) continue;
      const known = broken.length < MAX_PROBLEMS ? namesOf(it.kind) : [];
      broken.push(describeBroken(section, it, known));
      yield;
    }
  }
  if (!isChecked) {
    for (const it of yield* circles(sections)) problems.push(it);
    for (const it of yield* definitionsWrong(index)) problems.push(it);
  }
  const pools = withGiven(sections, givenPools);
  const codes = [...index.values()].flatMap(({ definition }) => listCodes(definition));
  return {
    sections,
    problems,
    broken,
    codes: new Set(codes),
    snapshot: {
      revision: 0,
      tags: new Map([...sections].map(([name, it]) => [name, it.tag])),
      section: <S extends Section>(name: S) =>
        (name === "pools" && pools || sections.get(name)?.parsed) as Definitions[S] | undefined,
      packs: new Map(
        [...sections].filter(([name]) => findPack(name)).map((
          [name, it],
        ) => [name, it.parsed as Pack]),
      ),
      find: (kind, name) => index.get(getKey(kind, name))?.definition,
    },
  };
}

function givenDefinition(name: string, value: PoolDefinition): LocatedDefinition {
  const place = { path: ["pools", name], on: "key" as const, text: name, from: 0, to: name.length };
  return { ...place, kind: "pool", name, value, line: 1, column: 1 };
}

/** Adds the pools of variables to the section; undefined without such variables. */
function withGiven(sections: Sections, given: GivenPools): Definitions["pools"] | undefined {
  if (!given.size) return undefined;
  const written = sections.get("pools")?.parsed as Definitions["pools"] | undefined;
  return { version: 1, ...written, pools: { ...Object.fromEntries(given), ...written?.pools } };
}

/** Definitions by kind and name. A definition outside the sections has no section. */
type Index = Map<
  string,
  { readonly definition: LocatedDefinition; readonly section?: CheckedSection }
>;

/** The names of each kind, for suggestions; each kind is listed once. */
function namesByKind(index: Index): (kind: DefinitionKind) => readonly string[] {
  const names = new Map<DefinitionKind, string[]>();
  return (kind) => {
    const known = names.get(kind);
    if (known) return known;
    const found = [...index.values()].filter(({ definition }) => definition.kind === kind)
      .map(({ definition }) => shownName(kind, definition.name)).concat(
        kind === "pool" ? [OWN_POOL] : [],
      );
    names.set(kind, found);
    return found;
  };
}

/**
 * Yields the demands of definitions that the definitions they name do not meet: a query of its pool, a screen of its
 * queries.
 */
function* definitionsWrong(index: Index): Generator<void, ConfigurationProblem[]> {
  const getValue = (kind: DefinitionKind, name: string) =>
    index.get(getKey(kind, name))?.definition.value;
  const problems: ConfigurationProblem[] = [];
  for (const { definition, section } of index.values()) {
    yield;
    if (!section) continue;
    const { kind, name, path } = definition;
    const found = kind === "query"
      ? queryWrong(definition, getValue)
      : problemsOfUse(definition, getValue).map((sentence) => ({ sentence, offset: undefined }));
    for (const { sentence: problem, offset } of found) {
      const sentence = say`${KIND_WORDS[kind]} ${shownName(kind, name)}: ${problem}`;
      const { line, column } = locateInSql(section, definition, offset);
      problems.push({ section: section.name, path, line, column, sentence });
    }
  }
  return problems;
}

/** Cached problems of a query and its pool. Definitions of unchanged texts are the same objects. */
const queriesSeen = new WeakMap<object, { pool: unknown; found: QueryProblem[] }>();

/** A text its pool's database could not run as one statement of its mode. */
function queryWrong(
  { name, value }: Definition,
  valueOf: (kind: DefinitionKind, name: string) => unknown,
): QueryProblem[] {
  const connector = valueOf("connector", name.split(":")[0] ?? "");
  const pool = isRecord(connector) ? String(connector["pool"]) : "";
  const runsOn = pool === OWN_POOL ? pool : valueOf("pool", pool);
  const seen = isRecord(value) ? queriesSeen.get(value) : undefined;
  if (seen && seen.pool === runsOn) return seen.found;
  const problem = findQueryProblem(value, runsOn);
  const found = problem ? [problem] : [];
  if (isRecord(value)) queriesSeen.set(value, { pool: runsOn, found });
  return found;
}

/** A language pack defines its language by its name alone. */
function getDefinitions(
  { name, definitions, value }: CheckedSection,
): readonly LocatedDefinition[] {
  const pack = findPack(name);
  if (!pack || pack.app !== undefined || value === undefined) return definitions;
  const { language: text } = pack;
  const place = { path: ["language"], on: "value" as const, text, from: 0, to: text.length };
  return [...definitions, { ...place, kind: "language", name: text, value, line: 1, column: 1 }];
}

function getKey(kind: DefinitionKind, name: string): string {
  return `${kind} ${name}`;
}

function twice(
  section: CheckedSection,
  { kind, name, path, line, column }: Definition & TextPosition,
): ConfigurationProblem {
  return {
    section: section.name,
    path,
    line,
    column,
    sentence: say`There are two definitions: ${KIND_WORDS[kind]} ${shownName(kind, name)}`,
  };
}

function describeBroken(
  { name: section }: CheckedSection,
  { kind, name, path, line, column }: Reference & TextPosition,
  known: readonly string[],
): BrokenReference {
  const written = shownName(kind, name);
  const hint = nearest(written, known);
  return {
    key: `${section} ${path.join(".")} ${kind} ${name}`,
    section,
    path,
    line,
    column,
    sentence: hint === undefined
      ? say`There is no ${KIND_WORDS[kind]} named ${written}`
      : say`There is no ${KIND_WORDS[kind]} named ${written}; did you mean ${hint}?`,
  };
}

interface Arrow {
  readonly to: string;
  readonly reference: Reference & TextPosition;
  readonly section: CheckedSection;
}

/** A job that starts itself over others, a language that falls back on itself. */
function* circles(sections: Sections): Generator<void, ConfigurationProblem[]> {
  const arrows = arrowsIn(sections);
  const problems: ConfigurationProblem[] = [];
  const done = new Set<string>();
  for (const start of arrows.keys()) {
    // A stack instead of recursion: a chain may have as many links as a section has values.
    const way = done.has(start) ? [] : [{ at: start, next: 0 }];
    const positions = new Map([[start, 0]]);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const arrow = arrows.get(top.at)?.[top.next++];
      if (!arrow) {
        done.add(top.at);
        positions.delete(top.at);
        way.pop();
        continue;
      }
      yield;
      const from = positions.get(arrow.to);
      if (from !== undefined) problems.push(circle(arrow, way.slice(from).map((it) => it.at)));
      else if (!done.has(arrow.to)) {
        positions.set(arrow.to, way.length);
        way.push({ at: arrow.to, next: 0 });
      }
      if (problems.length >= MAX_PROBLEMS) return problems;
    }
  }
  return problems;
}

function arrowsIn(sections: Sections): ReadonlyMap<string, readonly Arrow[]> {
  const arrows = new Map<string, Arrow[]>();
  for (const section of sections.values()) {
    for (const reference of section.references) {
      const from = reference.kind === "language"
        ? findPack(section.name)?.language
        : reference.owner?.kind === "job"
        ? reference.owner.name
        : undefined;
      if (from === undefined || reference.kind !== "job" && reference.kind !== "language") continue;
      const key = getKey(reference.kind, from);
      const arrow = { to: getKey(reference.kind, reference.name), reference, section };
      const known = arrows.get(key);
      if (known) known.push(arrow);
      else arrows.set(key, [arrow]);
    }
  }
  return arrows;
}

/** Links of a circle that its sentence names. */
const MAX_LINKS = 20;

function circle({ to, reference, section }: Arrow, way: readonly string[]): ConfigurationProblem {
  const named = way.length > MAX_LINKS ? [...way.slice(0, MAX_LINKS), "…"] : way;
  const { path, line, column } = reference;
  const sentence = say`This leads in a circle: ${[...named, to].join(" → ")}`;
  return { section: section.name, path, line, column, sentence };
}
