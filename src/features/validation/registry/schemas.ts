import { say } from "#src/kernel/sentences/sentence.ts";
import { issueOf, words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { isDay, noDay } from "#src/ports/rule_book.ts";

const Day = z.string().superRefine((it, issues) => {
  if (!isDay(it)) issues.addIssue(issueOf(noDay(it)));
}).openapi({ format: "date" });
const Level = z.enum(LEVELS);
const LevelOrOff = z.enum([...LEVELS, "OFF"]);
const Title = z.object({ fr: z.string(), en: z.string() });

const Override = z.object({
  rule: z.string(),
  level: LevelOrOff,
  author: z.string(),
  reason: z.string(),
  expires: z.string(),
  created: z.string(),
  inForce: z.boolean(),
}).openapi("RuleOverride");

const Window = z.object({
  rules: z.string(),
  flag: z.enum(["fatal", "error", "warning", "info"]),
  from: Day.optional(),
  until: Day.optional(),
  direction: z.enum(["issued", "received"]).optional(),
});

const RuleSet = z.object({
  id: z.string(),
  title: Title,
  appliesTo: z.object({
    roots: z.array(z.string()),
    customizationId: z.array(z.string()).optional(),
    countries: z.array(z.string()).optional(),
  }),
  judging: z.string().nullable().openapi({ description: "The version that judges today" }),
  versions: z.array(z.object({
    version: z.string(),
    origin: z.string(),
    effectiveFrom: z.string().nullable(),
    active: z.boolean(),
    from: z.enum(["shipped", "installed"]),
    activatedBy: z.string().nullable(),
    installedBy: z.string().nullable(),
    installedAt: z.string().nullable(),
    severity: z.array(Window),
    rules: z.int(),
  })),
  overrides: z.array(Override),
});

export const RuleSetList = z.object({
  sets: z.array(RuleSet),
  broken: z.array(z.object({ id: z.string(), version: z.string(), reason: z.string() })),
  ...windowed,
}).openapi("RuleSetList");

export const RuleSetDetail = RuleSet.extend({
  version: z.string(),
  rules: z.array(z.object({
    id: z.string(),
    flag: z.string().optional(),
    level: Level.openapi({ description: "Today, windows applied, overrides not" }),
    businessTerm: z.string().optional(),
    message: z.string(),
    messageFr: z.string(),
    messageEn: z.string(),
  })),
}).openapi("RuleSetDetail");

export const SetPath = z.object({ id: z.string().min(1).max(64) });
export const VersionQuery = z.object({ version: z.string().min(1).max(32).optional() });

const Several = z.union([z.string().max(300), z.array(z.string().max(300)).max(20)])
  .transform((it) => [it].flat())
  .openapi({ type: "array", items: { type: "string" } });

export const InstallQuery = z.object({
  id: z.string().max(64).optional(),
  version: z.string().max(32).optional(),
  entry: z.string().max(500).optional(),
  effectiveFrom: Day.optional(),
  roots: Several.optional(),
  customizationId: Several.optional(),
  active: z.enum(["true", "false"]).optional()
    .openapi({ description: "false: kept for comparison, never chosen until it is activated" }),
});
export const InstallBody = z.object({ path: z.string().min(1).max(4096) }).strict()
  .openapi("RuleInstall");
export const Installed = z.object({
  success: z.literal(true),
  id: z.string(),
  version: z.string(),
  effectiveFrom: z.string().optional(),
  active: z.boolean(),
  rules: z.int(),
  changed: z.boolean(),
}).openapi("RuleSetInstalled");

export const ActivateBody = z.object({
  version: z.string().min(1).max(32),
  from: Day.optional().openapi({ description: "First day; today when absent" }),
}).strict().openapi("RuleSetActivation");
export const Activated = z.object({ success: z.literal(true), effectiveFrom: z.string() })
  .openapi("RuleSetActivated");

const MOMENT = z.iso.datetime({ offset: true });

export const OverrideBody = z.object({
  rule: z.string().min(1).max(200),
  level: LevelOrOff,
  reason: z.string().trim().min(1, words(say`a reason is required`)).max(1000),
  expires: z.string().superRefine((text, context) => {
    if (MOMENT.safeParse(text).success) return;
    context.addIssue(
      issueOf(say`"${text.slice(0, 100)}" is not a moment of ISO 8601 with its offset`),
    );
  })
    .openapi({ description: "Moment from which it no longer counts; a year away at most" }),
}).strict().openapi("RuleOverrideRequest");
export const Overridden = z.object({ success: z.literal(true), id: z.int() })
  .openapi("RuleOverridden");
export const RuleQuery = z.object({ rule: z.string().min(1).max(200) });

export const CompareBody = z.object({
  from: z.string().min(1).max(100).openapi({ example: "en16931-ubl@1.3.15" }),
  to: z.string().min(1).max(100).openapi({ example: "en16931-ubl@1.3.16" }),
  folder: z.string().min(1).max(4096).optional()
    .openapi({ description: "In the data folder; absent: the archive" }),
  since: Day.optional().openapi({ description: "Archive: issued on this day or later" }),
  limit: z.int().min(1).max(10_000).optional(),
}).strict().openapi("RuleComparisonRequest");

const Difference = z.object({
  rule: z.string(),
  level: Level,
  documents: z.int(),
  names: z.array(z.string()).readonly(),
});
export const Comparison = z.object({
  documents: z.int(),
  capped: z.boolean(),
  newlyInvalidDocuments: z.int(),
  newlyInvalid: z.array(z.string()).readonly(),
  newlyValidDocuments: z.int(),
  newlyValid: z.array(z.string()).readonly(),
  newlyFailing: z.array(Difference).readonly(),
  noLongerFailing: z.array(Difference).readonly(),
}).openapi("RuleComparison");
