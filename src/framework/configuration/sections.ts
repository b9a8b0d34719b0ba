import type { Deps } from "#src/deps.ts";
import { type SectionName, SECTIONS } from "#src/definitions/sections.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { toEtag } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type Change,
  type ChangeDeps,
  type ChangeOutcome,
  changeSections,
  computeDiff,
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
  /** Null when it was never written. */
  readonly revision: number | null;
  readonly at: Date | null;
  readonly author: string | null;
  readonly isInForce: boolean;
}

/** Lists every section in order, including unwritten ones, then the existing language packs. */
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
  /** True when the stored text is not effective yet. */
  readonly pending: boolean;
}

/** Returns the text of a section as stored, byte for byte; an empty text when missing. */
export async function showText(deps: Pick<Deps, "db">, name: SectionName): Promise<ShownText> {
  const heads = await readCurrentRevisions(deps.db);
  const own = heads.get(name);
  const stored = own ? await textsAt(deps.db, new Map([[name, own]]), "stored") : new Map();
  const text = stored.get(name) ?? "";
  const pending = own !== undefined && own.active !== own.stored;
  return { text, etag: toEtag(tagOfText(text)), pending };
}

/** Returns a section as JSON with masked secrets; a missing section is empty. */
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
  deps: ChangeDeps,
  { name, text }: { name: SectionName; text: string },
  { ifMatch, ...how }: How,
): Promise<ChangeOutcome> {
  return changeSections(deps, {
    ...how,
    note: "saved as text",
    ifMatch: { section: name, tag: ifMatch },
    texts: () => new Map([[name, text]]),
  });
}

/** The value written into the text that is there, with no byte changed that need not be. */
export function saveParsed(
  deps: ChangeDeps,
  { name, value }: { name: SectionName; value: unknown },
  { ifMatch, ...how }: How,
): Promise<ChangeOutcome> {
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

/** Lists the revisions of a section with author and time, newest first. */
export async function showRevisions(
  { db }: Pick<Deps, "db">,
  { name, before, limit }: { name: SectionName; before?: number | undefined; limit: number },
) {
  const rows = await listRevisions(db, name, { before, limit: limit + 1 });
  const total = await countRevisions(db, name);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total };
}

/** Returns one revision with its changes. */
export async function showRevision(
  { db }: Pick<Deps, "db">,
  { name, revision }: { name: SectionName; revision: number },
) {
  const found = await findRevision(db, { section: name, revision });
  if (!found) throw notFound("Revision", `${name}/${revision}`);
  const { text, previous, ...row } = found;
  return { ...row, diff: computeDiff(name, previous, text) };
}

/** Stores the text of an earlier revision again, as a new revision. */
export async function restoreRevision(
  deps: ChangeDeps,
  { name, revision }: { name: SectionName; revision: number },
  { ifMatch, ...how }: How,
): Promise<ChangeOutcome> {
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
