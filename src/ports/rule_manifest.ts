import { z } from "zod";
import { dateExists } from "#src/domain/validation/identifiers.ts";
import { createIssue, words } from "#src/kernel/i18n/schema.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** The files of a release by path inside it (`schema.sch`, `parts/codes.sch`), as text. */
export type ReleaseFiles = Readonly<Record<string, string>>;

const day = z.string().superRefine((it, issues) => {
  if (!isDay(it)) issues.addIssue(createIssue(noDay(it)));
});
const glob = z.string().min(1).max(300);

/** Checks for a day that the database can store: PostgreSQL has no year 0. */
export function isDay(text: string): boolean {
  return dateExists(text) && !text.startsWith("0000");
}

/** Explains why a text is refused where a day is expected. */
export function noDay(text: unknown): Sentence {
  const shown = String(text).slice(0, 100);
  return say`"${shown}" is not a day of the calendar written as YYYY-MM-DD`;
}

/** Documents that a rule set applies to. Every document meets an absent condition. */
const AppliesTo = z.object({
  /** Root elements: with namespace (`{urn:…}Invoice`), or the local name (`Invoice`) of a document there is a schema for. */
  roots: z.array(z.string().min(1).max(300)).min(1),
  /** Globs (`*`) over the document's CustomizationID (BT-24). */
  customizationId: z.array(glob).optional(),
  /**
   * Seller or buyer in one of these countries (ISO 3166-1 alpha-2). Such a set is used in addition to others,
   * never alone.
   */
  countries: z.array(
    z.string().regex(/^[A-Z]{2}$/, words(say`a country as two capital letters is expected`)),
  ).optional(),
});

/** Rules that are milder or stricter than written, for a time. */
const SeverityWindow = z.object({
  /** Glob (`*`) over rule ids. */
  rules: glob,
  /** Severity, as in the schema. */
  flag: z.enum(["fatal", "error", "warning", "info"]),
  /** First day; absent: since ever. */
  from: day.optional(),
  /** Last day; absent: for ever. */
  until: day.optional(),
  direction: z.enum(["issued", "received"]).optional(),
});

/** `ruleset.json` of a release. */
export const Manifest = z.object({
  id: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    words(say`letters, digits, dot, dash and underscore only`),
  ),
  version: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/,
    words(say`a version such as 1.4.0.03 is expected`),
  ),
  title: z.object({ fr: z.string().min(1), en: z.string().min(1) }),
  /** Path of the main schema inside the release. */
  entry: z.string().min(1),
  origin: z.string().optional(),
  /** The same for French readers. */
  originFr: z.string().optional(),
  /** First day this version is in force; absent: always. */
  effectiveFrom: day.optional(),
  appliesTo: AppliesTo,
  severity: z.array(SeverityWindow).optional(),
  /** Phase of the schema to run; absent: its default phase. */
  phase: z.string().optional(),
});
export type Manifest = z.infer<typeof Manifest>;
/** Documents that a set applies to. */
export type AppliesTo = Manifest["appliesTo"];
