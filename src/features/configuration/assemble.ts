import { codeOf } from "#src/definitions/codes.ts";
import { type Definition, type Reference, shownName } from "#src/definitions/links.ts";
import { type Kind, KIND_WORDS } from "#src/definitions/marks.ts";
import {
  type Definitions,
  type Pack,
  packOf,
  type Section,
  type SectionName,
} from "#src/definitions/sections.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { CheckedSection, Problem, Snapshot } from "#src/ports/configuration.ts";
import type { Place } from "#src/ports/yaml.ts";

/** A reference that leads nowhere, with what tells it from others however the lines move. */
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
const GIVEN: readonly (readonly [Kind, string])[] = [["pool", "passerelle"]];

export function assemble(
  sections: ReadonlyMap<SectionName, CheckedSection>,
  revision: number,
): Assembled {
  const index = new Map<string, { definition: Definition; section: CheckedSection }>();
  const problems = [...sections.values()].flatMap((it) => it.problems);
  const groups = new Set<string>();
  for (const section of sections.values()) {
    for (const definition of definitionsOf(section)) {
      const key = keyOf(definition.kind, definition.name);
      if (index.has(key)) problems.push(twice(section, definition));
      else index.set(key, { definition, section });
    }
    for (const { kind, name } of section.groups) groups.add(keyOf(kind, name));
  }
  const isKnown = (kind: Kind, name: string) =>
    index.has(keyOf(kind, name)) || groups.has(keyOf(kind, name)) ||
    GIVEN.some(([given, it]) => given === kind && it === name);
  const broken = [...sections.values()].flatMap((section) =>
    section.references.filter(({ kind, name }) => !isKnown(kind, name))
      .map((it) => brokenOf(section, it, index.values()))
  );
  problems.push(...circles(sections));
  const codes = [...index.values()].map(({ definition }) => codeOf(definition))
    .filter((it) => it !== undefined);
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
  const names = [...known].filter((it) => it.definition.kind === kind)
    .map((it) => shownName(kind, it.definition.name));
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
