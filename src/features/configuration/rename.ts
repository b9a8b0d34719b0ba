import { renamedCode } from "#src/definitions/codes.ts";
import { shownName } from "#src/definitions/links.ts";
import { type Kind, KIND_WORDS, WITHIN } from "#src/definitions/marks.ts";
import { packOf, type SectionName } from "#src/definitions/sections.ts";
import { NAME } from "#src/definitions/words.ts";
import { codesToRename, renameCodes, rolesThatGain } from "#src/features/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import type { ScalarEdit } from "#src/ports/yaml.ts";
import { assemble } from "./assemble.ts";
import {
  type ChangeNeeds,
  changeSections,
  type Outcome,
  type Texts,
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
] as const satisfies readonly Kind[];
type Renamed = (typeof RENAMED)[number];

interface RenamePlace {
  readonly section: SectionName;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface RenameOutcome extends Outcome {
  readonly places: readonly RenamePlace[];
  readonly roles: Awaited<ReturnType<typeof codesToRename>>;
}

/**
 * Another name for a thing everywhere at once: where it is defined, where it is referred to, in the names of language
 * packs and in the codes of roles. Every other byte stays, and what the roles grant too, so that it is in force at once.
 * Throws AppError: `not_found`, `conflict` where the name is taken or a section has changes that are not in force.
 */
export async function renameEverywhere(
  deps: ChangeNeeds,
  { kind, from, to }: { kind: Renamed; from: string; to: string },
  { by, dryRun }: { by: Actor; dryRun: boolean },
): Promise<RenameOutcome> {
  const heads = await readCurrentRevisions(deps.db);
  const now = await checkedAll(deps.configuration.check, await textsAt(deps.db, heads, "stored"));
  const old = definedName(now, kind, from);
  const segment = lastSegment(kind, { from, to, old });
  const name = [...old.split(":").slice(0, -1), segment].join(":");
  const renamed = (code: string) => renamedCode(code, { kind, from: old, to: name });
  const roles = await codesToRename(deps.db, renamed);
  await checkNobodyGains(deps, now, renamed);
  const places = placesOf(now, kind, old).flatMap((it) => it.places);
  const outcome = await changeSections(deps, {
    by,
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
      for (const { section, edits } of placesOf(sections, kind, old)) {
        const named = edits(segment);
        if (!named.length) continue;
        changed.set(section.name, await deps.sectionTexts.splice(section.text, named));
      }
      if (kind === "app") movePacks(changed, stored, { from: old, to: segment });
      for (const section of changed.keys()) checkInForce(heads.get(section), section);
      return changed;
    },
    also: (tx) => renameCodes({ ...deps, db: tx }, { renamed, by }),
  });
  return { ...outcome, places, roles };
}

async function checkNobodyGains(
  { db }: ChangeNeeds,
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
    say`Roles hold codes of that name, from a thing that is gone, and would gain what they do not have: ${
      gaining.join(", ")
    }`,
  );
}

type Sections = ReadonlyMap<SectionName, CheckedSection>;

/** `erp.orders` as `erp:orders`; a name may hold dots, so what is defined decides where one ends. */
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

function isDefined(sections: Sections, kind: Kind, name: string): boolean {
  return [...sections.values()].some((it) =>
    [...it.definitions, ...it.groups].some((link) => link.kind === kind && link.name === name)
  );
}

/** Only the last part of a name changes: what it stands in is renamed by itself. */
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

function placesOf(sections: Sections, kind: Kind, name: string): Found[] {
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
  stored: Texts,
  { from, to }: { from: string; to: string },
): void {
  for (const [name, text] of stored) {
    const pack = packOf(name);
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
