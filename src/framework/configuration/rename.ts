import { renamedCode } from "#src/definitions/codes.ts";
import { shownName } from "#src/definitions/links.ts";
import { type DefinitionKind, KIND_WORDS, WITHIN } from "#src/definitions/marks.ts";
import { findPack, type SectionName } from "#src/definitions/sections.ts";
import { NAME } from "#src/definitions/words.ts";
import { codesToRename, renameCodes, rolesThatGain } from "#src/platform/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import type { ScalarEdit } from "#src/ports/yaml.ts";
import { assemble } from "./assemble.ts";
import {
  type ChangeDeps,
  type ChangeOutcome,
  changeSections,
  type SectionTextMap,
  textsAt,
} from "./change_sections.ts";
import { checkedAll } from "./registry.ts";
import { readCurrentRevisions } from "./store.ts";

export const RENAMED = [
  "pool",
  "connector",
  "query",
  "endpoint",
  "screen",
  "chart",
  "dashboard",
  "menu",
  "job",
  "lookup",
  "app",
  "column",
  "label",
] as const satisfies readonly DefinitionKind[];
type Renamed = (typeof RENAMED)[number];

interface RenamePlace {
  readonly section: SectionName;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface RenameOutcome extends ChangeOutcome {
  readonly places: readonly RenamePlace[];
  readonly roles: Awaited<ReturnType<typeof codesToRename>>;
}

/**
 * Renames a thing everywhere: its definition, all references, language packs, and permission codes of roles. Changes
 * nothing else, and keeps all permissions; the change is effective immediately. Throws AppError `not_found`, and
 * `conflict` when the name is taken or a section has pending changes.
 */
export async function renameEverywhere(
  deps: ChangeDeps,
  { kind, from, to }: { kind: Renamed; from: string; to: string },
  { by, dryRun }: { by: Actor; dryRun: boolean },
): Promise<RenameOutcome> {
  const heads = await readCurrentRevisions(deps.db);
  const now = await checkedAll(deps.configuration.check, await textsAt(deps.db, heads, "stored"));
  if (kind === "pool") checkGiven(deps, now, { from, to });
  const old = definedName(now, kind, from);
  const segment = lastSegment(kind, { from, to, old });
  const name = [...old.split(":").slice(0, -1), segment].join(":");
  const rename = (code: string) => renamedCode(code, { kind, from: old, to: name });
  const roles = await codesToRename(deps.db, rename);
  await checkNobodyGains(deps, now, rename);
  const places = findOccurrences(now, kind, old).flatMap((it) => it.places);
  // The statements stay the same, so no database needs to check them.
  const outcome = await changeSections({ ...deps, checkQueries: undefined }, {
    by,
    rights: by.permissions,
    dryRun,
    mayReload: true,
    note: `renamed ${kind} ${from} to ${to}`,
    async texts(stored) {
      const sections = await checkedAll(deps.configuration.check, stored);
      definedName(sections, kind, from);
      if (isDefined(sections, kind, name)) {
        throw new AppError(
          "conflict",
          say`There is a ${KIND_WORDS[kind]} ${shownName(kind, name)} already`,
        );
      }
      const changed = new Map<SectionName, string>();
      for (const { section, edits } of findOccurrences(sections, kind, old)) {
        const named = edits(segment);
        if (!named.length) continue;
        changed.set(section.name, await deps.sectionTexts.splice(section.text, named));
      }
      if (kind === "app") movePacks(changed, stored, { from: old, to: segment });
      for (const section of changed.keys()) checkInForce(heads.get(section), section);
      return changed;
    },
    also: (tx) => renameCodes({ ...deps, db: tx }, { renamed: rename, by }),
  });
  return { ...outcome, places, roles };
}

/** Refuses to rename a pool of a variable, and to take the name of one. */
function checkGiven(
  { configuration: { givenPools } }: ChangeDeps,
  sections: Sections,
  { from, to }: { from: string; to: string },
): void {
  const given = [from, to].find((it) => givenPools.has(it) && !isDefined(sections, "pool", it));
  if (given === undefined) return;
  throw new AppError(
    "conflict",
    say`The variable ${`POOL_${given.toUpperCase()}_URL`} defines the pool ${given}: rename the variable`,
  );
}

async function checkNobodyGains(
  { db }: ChangeDeps,
  now: Sections,
  renamed: (code: string) => string | undefined,
): Promise<void> {
  const codes = [...assemble(now, 0).codes].flatMap((from) => {
    const to = renamed(from);
    return to === undefined ? [] : [{ from, to }];
  });
  const gaining = await rolesThatGain(db, codes);
  if (!gaining.length) return;
  throw new AppError(
    "conflict",
    say`Roles still have codes of that name from a deleted definition, and would gain new permissions: ${
      gaining.join(", ")
    }`,
  );
}

type Sections = ReadonlyMap<SectionName, CheckedSection>;

/**
 * Converts `erp.orders` to `erp:orders`. Names may contain dots, so the existing definitions decide where a name ends.
 */
function definedName(sections: Sections, kind: Renamed, text: string): string {
  const parent = WITHIN[kind];
  const separators = parent === "app" ? /[/]/g : /[.]/g;
  const names = parent
    ? [...text.matchAll(separators)].map(({ index }) =>
      `${text.slice(0, index)}:${text.slice(index + 1)}`
    )
    : [text];
  const found = names.find((it) => isDefined(sections, kind, it));
  if (found === undefined) {
    const named = [...sections.values()].flatMap((it) => [...it.definitions, ...it.groups])
      .filter((link) => link.kind === kind).map((link) => shownName(kind, link.name));
    const meant = nearest(text, named);
    throw new AppError(
      "not_found",
      meant === undefined
        ? say`There is no ${KIND_WORDS[kind]} named ${text}`
        : say`There is no ${KIND_WORDS[kind]} named ${text}; did you mean ${meant}?`,
    );
  }
  return found;
}

function isDefined(sections: Sections, kind: DefinitionKind, name: string): boolean {
  return [...sections.values()].some((it) =>
    [...it.definitions, ...it.groups].some((link) => link.kind === kind && link.name === name)
  );
}

/** Returns the last part of a name, because its parent is renamed separately. */
function lastSegment(
  kind: Renamed,
  { from, to, old }: { from: string; to: string; old: string },
): string {
  const parent = old.includes(":") ? shownName(kind, `${old.split(":")[0]}:`) : "";
  const isBare = !to.startsWith(parent) && !/[/:]/.test(to);
  const segment = parent && !isBare ? to.slice(parent.length) : to;
  if (!isBare && parent && !to.startsWith(parent) || !NAME.test(segment)) {
    throw new AppError(
      "refused",
      say`${to} cannot be the new name of ${from}: ${parent}<name> is expected, a letter and then letters, digits, dots, dashes or underscores`,
    );
  }
  return segment;
}

interface Found {
  readonly section: CheckedSection;
  readonly places: readonly RenamePlace[];
  readonly edits: (segment: string) => ScalarEdit[];
}

function findOccurrences(sections: Sections, kind: DefinitionKind, name: string): Found[] {
  return [...sections.values()].map((section) => {
    const links = [...section.definitions, ...section.references, ...section.groups]
      .filter((it) => it.kind === kind && it.name === name);
    return {
      section,
      places: links.map(({ path, line, column }) => ({
        section: section.name,
        path: path.join("."),
        line,
        column,
      })),
      edits: (segment) =>
        links.map(({ path, on, from, to, text }) => ({
          path,
          on,
          value: text.slice(0, from) + segment + text.slice(to),
        })),
    };
  });
}

function movePacks(
  changed: Map<SectionName, string>,
  stored: SectionTextMap,
  { from, to }: { from: string; to: string },
): void {
  for (const [name, text] of stored) {
    const pack = findPack(name);
    if (pack?.app !== from || !text.trim()) continue;
    changed.set(`i18n/${to}/${pack.language}`, changed.get(name) ?? text);
    changed.set(name, "");
  }
}

function checkInForce(
  heads: { stored: number; active: number | null } | undefined,
  section: SectionName,
): void {
  if (!heads || heads.active === heads.stored) return;
  throw new AppError(
    "conflict",
    say`The section ${section} has changes that are not in force: reload it before renaming`,
  );
}
