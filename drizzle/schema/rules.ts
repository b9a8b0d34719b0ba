import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { Level } from "#src/domain/validation/finding.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";

/** Installed releases, and activation dates of shipped ones (then without files). */
export const ruleSets = p.pgTable("rule_sets", {
  id: p.text().notNull(),
  version: p.text().notNull(),
  /** Null, also in `files`: the version ships with the product. */
  manifest: p.jsonb().$type<Manifest>(),
  files: p.jsonb().$type<ReleaseFiles>(),
  sha256: p.text(),
  installedBy: p.text().notNull(),
  installedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** False keeps the version but never selects it by date. */
  active: p.boolean().notNull().default(true),
  /** Replaces the manifest's date; set on activation. */
  effectiveFrom: p.date({ mode: "string" }),
  activatedAt: p.timestamp({ withTimezone: true }),
  activatedBy: p.text(),
}, (t) => [p.primaryKey({ columns: [t.id, t.version] })]);

/** Overrides of published rules, each with a reason and an end date. Withdrawn ones stay as a record. */
export const ruleOverrides = p.pgTable("rule_overrides", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  ruleSet: p.text().notNull(),
  rule: p.text().notNull(),
  level: p.text().$type<Level | "OFF">().notNull(),
  author: p.text().notNull(),
  reason: p.text().notNull(),
  expiresAt: p.timestamp({ withTimezone: true }).notNull(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  withdrawnBy: p.text(),
  withdrawnAt: p.timestamp({ withTimezone: true }),
}, (t) => [
  p.index("rule_overrides_standing").on(t.ruleSet, t.rule).where(sql`${t.withdrawnAt} is null`),
  p.check("rule_overrides_reason", sql`length(${t.reason}) > 0`),
]);
