import type { Deps } from "#src/deps.ts";
import { type SectionName, SECTIONS } from "#src/definitions/sections.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { tagOf } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import {
  type Change,
  type ChangeNeeds,
  changeSections,
  diffOf,
  type Outcome,
  textsAt,
} from "./change_sections.ts";
import { tagOfText } from "./check_section.ts";
import { maskedValue, unmaskedValue } from "./secrets.ts";
import {
  countRevisions,
  findRevision,
  listHeads,
  listRevisions,
  readCurrentRevisions,
} from "./store.ts";

export interface ShownSection {
  readonly name: SectionName;
  /** Null where nobody wrote it yet. */
  readonly revision: number | null;
  readonly at: Date | null;
  readonly author: string | null;
  readonly isInForce: boolean;
}

/** Every section in its order, those nobody wrote yet too; then the language packs that are there. */
export async function showSections({ db }: Pick<Deps, "db">): Promise<ShownSection[]> {
  const heads = await listHeads(db);
  const unwritten = { revision: null, at: null, author: null, isInForce: true };
  const sections = SECTIONS.map((name) =>
    heads.find((it) => it.name === name) ?? { name, ...unwritten }
  );
  const packs = heads.filter((it) => it.name.startsWith("i18n/") && !it.isEmpty);
  return [...sections, ...packs];
}

interface ShownText {
  readonly text: string;
  readonly etag: string;
  /** What is stored is not in force. */
  readonly pending: boolean;
}

/** As it is stored, byte for byte; empty where there is none. */
export async function showText(deps: Pick<Deps, "db">, name: SectionName): Promise<ShownText> {
  const heads = await readCurrentRevisions(deps.db);
  const own = heads.get(name);
  const stored = own ? await textsAt(deps.db, new Map([[name, own]]), "stored") : new Map();
  const text = stored.get(name) ?? "";
  const pending = own !== undefined && own.active !== own.stored;
  return { text, etag: tagOf(tagOfText(text)), pending };
}

/** As JSON, secrets masked; a section that is not there as one that defines nothing. */
export async function showParsed(
  deps: Pick<Deps, "configuration" | "db">,
  name: SectionName,
): Promise<Omit<ShownText, "text"> & { value: unknown }> {
  const { text, ...shown } = await showText(deps, name);
  if (!text.trim()) return { ...shown, value: emptySection(name) };
  const { value, problems } = await deps.configuration.check({ name, text });
  if (value === undefined) {
    throw new AppError("refused", problems[0]?.sentence ?? say`${name} cannot be read`);
  }
  return { ...shown, value: maskedValue(name, value) };
}

type How = Omit<Change, "texts" | "note" | "ifMatch" | "also"> & { ifMatch?: string | undefined };

export function saveText(
  deps: ChangeNeeds,
  { name, text }: { name: SectionName; text: string },
  { ifMatch, ...how }: How,
): Promise<Outcome> {
  return changeSections(deps, {
    ...how,
    note: "saved as text",
    ifMatch: { section: name, tag: ifMatch },
    texts: () => new Map([[name, text]]),
  });
}

/** The value written into the text that is there, with no byte changed that need not be. */
export function saveParsed(
  deps: ChangeNeeds,
  { name, value }: { name: SectionName; value: unknown },
  { ifMatch, ...how }: How,
): Promise<Outcome> {
  return changeSections(deps, {
    ...how,
    note: "saved",
    ifMatch: { section: name, tag: ifMatch },
    async texts(stored) {
      const text = stored.get(name) ?? "";
      const before = text.trim() ? await deps.sectionTexts.value(text) : undefined;
      const next = unmaskedValue(name, value, before);
      return new Map([[name, await deps.sectionTexts.write(text, next)]]);
    },
  });
}

/** Who changed a section when, newest first. */
export async function showRevisions(
  { db }: Pick<Deps, "db">,
  { name, before, limit }: { name: SectionName; before?: number | undefined; limit: number },
) {
  const rows = await listRevisions(db, name, { before, limit: limit + 1 });
  const total = await countRevisions(db, name);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total };
}

/** One change with what it changed. */
export async function showRevision(
  { db }: Pick<Deps, "db">,
  { name, revision }: { name: SectionName; revision: number },
) {
  const found = await findRevision(db, { section: name, revision });
  if (!found) throw notFound("Revision", `${name}/${revision}`);
  const { text, previous, ...row } = found;
  return { ...row, diff: diffOf(name, previous, text) };
}

/** Stores the text of an earlier revision again, as a new revision. */
export async function restoreRevision(
  deps: ChangeNeeds,
  { name, revision }: { name: SectionName; revision: number },
  { ifMatch, ...how }: How,
): Promise<Outcome> {
  const found = await findRevision(deps.db, { section: name, revision });
  if (!found) throw notFound("Revision", `${name}/${revision}`);
  return await changeSections(deps, {
    ...how,
    note: `back to ${revision}`,
    ifMatch: { section: name, tag: ifMatch },
    texts: () => new Map([[name, found.text]]),
  });
}

function emptySection(name: SectionName): unknown {
  const root = name === "menus" ? "apps" : name;
  const isMap = SECTIONS.some((it) => it === name) && name !== "dictionary";
  return { version: 1, ...isMap && { [root]: {} } };
}
