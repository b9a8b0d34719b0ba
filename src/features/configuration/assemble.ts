import { problemOfNamedQuery } from "#src/definitions/queries.ts";
import { problemsOfUse } from "#src/definitions/uses.ts";
import { isRecord } from "#src/definitions/walk.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { codesOf } from "#src/definitions/codes.ts";
import { type Definition, type Reference, shownName } from "#src/definitions/links.ts";
import { type Kind, KIND_WORDS } from "#src/definitions/marks.ts";
import {
  type Definitions,
  type Pack,
  packOf,
  type Section,
  type SectionName,
} from "#src/definitions/sections.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { atOnce, inTurns } from "#src/kernel/in_turns.ts";
import { nearest } from "#src/kernel/text.ts";
import type { CheckedSection, Problem, Snapshot } from "#src/ports/configuration.ts";
import type { Place } from "#src/ports/yaml.ts";

/** A reference that leads nowhere. `key` stays the same when lines above it are added or removed. */
export interface Broken extends Problem {
  readonly key: string;
}

/** All sections together. */
export interface Assembled {
  readonly sections: ReadonlyMap<SectionName, CheckedSection>;
  readonly snapshot: Snapshot;
  /** Of single sections, and what no two definitions may be: of the same name, in a circle. */
  readonly problems: readonly Problem[];
  readonly broken: readonly Broken[];
  /** Permission codes that exist because something is defined. */
  readonly codes: ReadonlySet<string>;
}

/** Pools there are without any section. */
const GIVEN: readonly (readonly [Kind, string])[] = [["pool", OWN_POOL]];

/** Puts the sections together and follows their references; what leads nowhere is listed. */
export function assemble(sections: Sections, revision: number): Assembled {
  return atOnce(assembling(sections, revision));
}

/**
 * As `assemble`, where others wait: thousands of queries take longer than anybody should stand still for. `isChecked`: these very
 * sections were put together before, and nothing was wrong.
 */
export function assembleInTurns(
  sections: Sections,
  revision: number,
  { isChecked = false }: { isChecked?: boolean } = {},
): Promise<Assembled> {
  return inTurns(assembling(sections, revision, isChecked));
}

type Sections = ReadonlyMap<SectionName, CheckedSection>;

function* assembling(
  sections: Sections,
  revision: number,
  isChecked = false,
): Generator<void, Assembled> {
  const index = new Map<string, { definition: Definition; section: CheckedSection }>();
  const problems = [...sections.values()].flatMap((it) => it.problems);
  const groups = new Set<string>();
  for (const section of sections.values()) {
    for (const definition of definitionsOf(section)) {
      const key = keyOf(definition.kind, definition.name);
      if (index.has(key)) problems.push(twice(section, definition));
      else index.set(key, { definition, section });
      yield;
    }
    for (const { kind, name } of section.groups) groups.add(keyOf(kind, name));
  }
  const isKnown = (kind: Kind, name: string) =>
    index.has(keyOf(kind, name)) || groups.has(keyOf(kind, name)) ||
    GIVEN.some(([given, it]) => given === kind && it === name);
  const broken: Broken[] = [];
  for (const section of sections.values()) {
    for (const it of section.references) {
      if (isKnown(it.kind, it.name)) continue;
      broken.push(brokenOf(section, it, index.values()));
      yield;
    }
  }
  if (!isChecked) problems.push(...circles(sections), ...yield* definitionsWrong(index));
  const codes = [...index.values()].flatMap(({ definition }) => codesOf(definition));
  return {
    sections,
    problems,
    broken,
    codes: new Set(codes),
    snapshot: {
      revision,
      tags: new Map([...sections].map(([name, it]) => [name, it.tag])),
      section: <S extends Section>(name: S) =>
        sections.get(name)?.parsed as Definitions[S] | undefined,
      packs: new Map(
        [...sections].filter(([name]) => packOf(name)).map((
          [name, it],
        ) => [name, it.parsed as Pack]),
      ),
      find: (kind, name) => index.get(keyOf(kind, name))?.definition,
    },
  };
}

type Index = ReadonlyMap<string, { definition: Definition; section: CheckedSection }>;

/** What a definition wants that those it names do not do: a query of its pool, a screen of its queries. */
function* definitionsWrong(index: Index): Generator<void, Problem[]> {
  const valueOf = (kind: Kind, name: string) => index.get(keyOf(kind, name))?.definition.value;
  const problems: Problem[] = [];
  for (const { definition, section } of index.values()) {
    yield;
    const { kind, name } = definition;
    const sentences = kind === "query"
      ? queryWrong(definition, valueOf)
      : problemsOfUse(definition, valueOf);
    const place = sentences.length
      ? section.definitions.find((it) => it.kind === kind && it.name === name)
      : undefined;
    if (!place) continue;
    const { path, line, column } = place;
    for (const problem of sentences) {
      const sentence = say`${KIND_WORDS[kind]} ${shownName(kind, name)}: ${problem}`;
      problems.push({ section: section.name, path, line, column, sentence });
    }
  }
  return problems;
}

/** What was found of a query and its pool: the definitions of a text that did not change are the same objects. */
const queriesSeen = new WeakMap<object, { pool: unknown; found: Sentence[] }>();

/** A text its pool's database could not run as one statement of its mode. */
function queryWrong(
  { name, value }: Definition,
  valueOf: (kind: Kind, name: string) => unknown,
): Sentence[] {
  const connector = valueOf("connector", name.split(":")[0] ?? "");
  const pool = isRecord(connector) ? String(connector["pool"]) : "";
  const runsOn = pool === OWN_POOL ? pool : valueOf("pool", pool);
  const seen = isRecord(value) ? queriesSeen.get(value) : undefined;
  if (seen && seen.pool === runsOn) return seen.found;
  const problem = problemOfNamedQuery(value, runsOn);
  const found = problem ? [problem] : [];
  if (isRecord(value)) queriesSeen.set(value, { pool: runsOn, found });
  return found;
}

/** A language pack defines its language by its name alone. */
function definitionsOf(
  { name, definitions, value }: CheckedSection,
): readonly (Definition & Place)[] {
  const pack = packOf(name);
  if (!pack || pack.app !== undefined || value === undefined) return definitions;
  const { language: text } = pack;
  const place = { path: ["language"], on: "value" as const, text, from: 0, to: text.length };
  return [...definitions, { ...place, kind: "language", name: text, value, line: 1, column: 1 }];
}

function keyOf(kind: Kind, name: string): string {
  return `${kind} ${name}`;
}

function twice(
  section: CheckedSection,
  { kind, name, path, line, column }: Definition & Place,
): Problem {
  return {
    section: section.name,
    path,
    line,
    column,
    sentence: say`There are two definitions: ${KIND_WORDS[kind]} ${shownName(kind, name)}`,
  };
}

function brokenOf(
  { name: section }: CheckedSection,
  { kind, name, path, line, column }: Reference & Place,
  known: Iterable<{ definition: Definition }>,
): Broken {
  const written = shownName(kind, name);
  const given = GIVEN.filter(([it]) => it === kind).map(([, name]) => name);
  const names = [...known].filter((it) => it.definition.kind === kind)
    .map((it) => shownName(kind, it.definition.name)).concat(given);
  const hint = nearest(written, names);
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

/** A job that starts itself over others, a language that falls back on itself. */
function circles(sections: ReadonlyMap<SectionName, CheckedSection>): Problem[] {
  const problems: Problem[] = [];
  const arrows = new Map<
    string,
    { to: string; reference: Reference & Place; section: CheckedSection }[]
  >();
  for (const section of sections.values()) {
    for (const reference of section.references) {
      const from = reference.kind === "language"
        ? packOf(section.name)?.language
        : reference.owner?.kind === "job"
        ? reference.owner.name
        : undefined;
      if (from === undefined || reference.kind !== "job" && reference.kind !== "language") continue;
      const key = keyOf(reference.kind, from);
      const arrow = { to: keyOf(reference.kind, reference.name), reference, section };
      arrows.set(key, [...arrows.get(key) ?? [], arrow]);
    }
  }
  const done = new Set<string>();
  const follow = (at: string, way: readonly string[]): void => {
    if (done.has(at)) return;
    for (const { to, reference, section } of arrows.get(at) ?? []) {
      const start = way.indexOf(to);
      if (start < 0) follow(to, [...way, to]);
      else {
        problems.push({
          section: section.name,
          path: reference.path,
          line: reference.line,
          column: reference.column,
          sentence: say`This leads in a circle: ${[...way.slice(start), to].join(" → ")}`,
        });
      }
    }
    done.add(at);
  };
  for (const key of arrows.keys()) follow(key, [key]);
  return problems;
}
