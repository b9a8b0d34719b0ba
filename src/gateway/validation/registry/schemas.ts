import { say } from "#src/kernel/i18n/sentence.ts";
import { createIssue, words } from "#src/kernel/i18n/schema.ts";
import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { isDay, noDay } from "#src/ports/rule_manifest.ts";

const Day = z.string().superRefine((it, issues) => {
  if (!isDay(it)) issues.addIssue(createIssue(noDay(it)));
}).openapi({ format: "date" });
const Level = z.enum(LEVELS);
const LevelOrOff = z.enum([...LEVELS, "OFF"]);
const Title = z.object({
  fr: z.string().openapi({ description: "Title in French", example: "EN 16931" }),
  en: z.string().openapi({ description: "Title in English", example: "EN 16931" }),
}).openapi({ description: "Title in both languages" });

const Override = z.object({
  rule: z.string().openapi({ description: "Overridden rule", example: "BR-FR-12" }),
  level: LevelOrOff.openapi({
    description: "Severity that the override sets; `OFF` disables the rule",
    example: "FATAL",
  }),
  author: z.string().openapi({ description: "User who created the override", example: "mdurand" }),
  reason: z.string().openapi({
    description: "Reason for the override",
    example: "Agreed with the buyer until the ERP is updated",
  }),
  expires: z.string().openapi({
    description: "Time when the override ends",
    example: "2026-12-31T00:00:00.000Z",
  }),
  created: z.string().openapi({
    description: "Time when the override was created",
    example: "2026-11-20T09:30:00.000Z",
  }),
  inForce: z.boolean().openapi({
    description: "True when the override applies today",
    example: true,
  }),
}).openapi("RuleOverride", { description: "Override of one rule" });

const Window = z.object({
  rules: z.string().openapi({
    description: "Pattern of the rule identifiers",
    example: "BR-FR-.*",
  }),
  flag: z.enum(["fatal", "error", "warning", "info"]).openapi({
    description: "Severity of the findings in the period",
    example: "fatal",
  }),
  from: Day.optional().openapi({ description: "First day of the period", example: "2026-11-01" }),
  until: Day.optional().openapi({
    description: "Day after the last day of the period",
    example: "2027-01-01",
  }),
  direction: z.enum(["issued", "received"]).optional().openapi({
    description: "Direction of the invoices; default: both",
    example: "issued",
  }),
}).openapi({ description: "Period in which findings have another severity" });

const RuleSet = z.object({
  id: z.string().openapi({
    description: "Identifier of the rule set",
    example: "en16931-ubl",
  }),
  title: Title,
  appliesTo: z.object({
    roots: z.array(z.string()).openapi({
      description: "Root elements of the documents",
      example: ["Invoice"],
    }),
    customizationId: z.array(z.string()).optional().openapi({
      description: "Values of BT-24 of the documents",
      example: ["urn:cen.eu:en16931:2017"],
    }),
    countries: z.array(z.string()).optional().openapi({
      description: "Countries of the seller",
      example: ["FR"],
    }),
  }).openapi({ description: "Documents the set judges" }),
  judging: z.string().nullable().openapi({
    description: "Version that validates today; null without one",
    example: "1.3.16",
  }),
  versions: z.array(
    z.object({
      version: z.string().openapi({ description: "Version number", example: "1.3.16" }),
      origin: z.string().openapi({
        description: "Publisher of the rules",
        example: "CEN/TC 434",
      }),
      effectiveFrom: z.string().nullable().openapi({
        description: "First day on which the version validates",
        example: "2026-09-01",
      }),
      active: z.boolean().openapi({
        description: "False when the version is kept only for comparison",
        example: true,
      }),
      from: z.enum(["shipped", "installed"]).openapi({
        description: "`shipped` with the product or `installed` by a user",
      }),
      activatedBy: z.string().nullable().openapi({
        description: "User who activated the version",
        example: "admin",
      }),
      installedBy: z.string().nullable().openapi({
        description: "User who installed the version",
        example: "admin",
      }),
      installedAt: z.string().nullable().openapi({
        description: "Time of the installation",
        example: "2026-11-20T09:30:00.000Z",
      }),
      severity: z.array(Window).openapi({
        description: "Periods in which findings have another severity",
      }),
      rules: z.int().openapi({ description: "Number of rules", example: 860 }),
    }).openapi({ description: "Version of a rule set" }),
  ).openapi({ description: "Installed versions" }),
  overrides: z.array(Override).openapi({
    description: "Overrides of single rules, with their reasons",
  }),
}).openapi({ description: "Rule set with its versions and overrides" });

export const RuleSetList = z.object({
  sets: z.array(RuleSet).openapi({ description: "Rule sets by identifier" }),
  broken: z.array(
    z.object({
      id: z.string().openapi({
        description: "Identifier of the rule set",
        example: "en16931-ubl",
      }),
      version: z.string().openapi({ description: "Version number", example: "1.3.16" }),
      reason: z.string().openapi({
        description: "Reason why the version cannot be used",
        example: "The file rules.json is missing",
      }),
    }).openapi({ description: "Installed version that cannot be used" }),
  ).openapi({ description: "Installed versions that cannot be used" }),
  ...windowed,
}).openapi("RuleSetList", { description: "Rule sets and broken versions" });

export const RuleSetDetail = RuleSet.extend({
  version: z.string().openapi({ description: "Shown version", example: "1.3.16" }),
  rules: z.array(
    z.object({
      id: z.string().openapi({
        description: "Identifier of the rule",
        example: "BR-CO-15",
      }),
      flag: z.string().optional().openapi({
        description: "Published severity",
        example: "fatal",
      }),
      level: Level.openapi({
        description: "Severity today, after periods and before overrides",
        example: "FATAL",
      }),
      businessTerm: z.string().optional().openapi({
        description: "Business term of EN 16931 that the rule concerns",
        example: "BT-112",
      }),
      message: z.string().openapi({
        description: "Message in the caller's language",
        example: "Total TTC = total HT + TVA",
      }),
      messageFr: z.string().openapi({
        description: "Message in French",
        example: "Total TTC = total HT + TVA",
      }),
      messageEn: z.string().openapi({
        description: "Message in English",
        example: "Total with VAT = total without VAT + VAT",
      }),
    }).openapi({ description: "Rule of a rule set" }),
  ).openapi({ description: "Rules of the shown version" }),
}).openapi("RuleSetDetail", { description: "Rule set with its rules" });

export const SetPath = z.object({
  id: z.string().min(1).max(64).openapi({
    description: "Identifier of the rule set",
    example: "en16931-ubl",
  }),
});
export const VersionQuery = z.object({
  version: z.string().min(1).max(32).optional().openapi({
    description: "Version to show; default: the version that validates today",
    example: "1.3.16",
  }),
});

const Several = z.union([z.string().max(300), z.array(z.string().max(300)).max(20)])
  .transform((it) => [it].flat())
  .openapi({ type: "array", items: { type: "string" } });

export const InstallQuery = z.object({
  id: z.string().max(64).optional().openapi({
    description: "Identifier of the rule set",
    example: "en16931-ubl",
  }),
  version: z.string().max(32).optional().openapi({
    description: "Version number",
    example: "1.3.16",
  }),
  entry: z.string().max(500).optional().openapi({
    description: "Main schema file of the release",
    example: "EN16931-UBL-validation.sch",
  }),
  effectiveFrom: Day.optional().openapi({
    description: "First day on which the version validates",
    example: "2026-09-01",
  }),
  roots: Several.optional().openapi({
    description: "Root elements of the documents to validate",
    example: ["Invoice"],
  }),
  customizationId: Several.optional().openapi({
    description: "Values of BT-24 of the documents to validate",
    example: ["urn:cen.eu:en16931:2017"],
  }),
  active: z.enum(["true", "false"]).optional()
    .openapi({ description: "`false` keeps the version for comparison until it is activated" }),
});
export const InstallBody = z.object({
  path: z.string().min(1).max(4096).openapi({
    description: "Zip or folder of the release in the data folder",
    example: "rules/en16931-1.3.16.zip",
  }),
}).strict()
  .openapi("RuleInstall", { description: "Location of a published release" });
export const Installed = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  id: z.string().openapi({
    description: "Identifier of the rule set",
    example: "en16931-ubl",
  }),
  version: z.string().openapi({ description: "Version number", example: "1.3.16" }),
  effectiveFrom: z.string().optional().openapi({
    description: "First day on which the version validates",
    example: "2026-09-01",
  }),
  active: z.boolean().openapi({
    description: "False when the version is kept only for comparison",
    example: true,
  }),
  rules: z.int().openapi({ description: "Number of rules", example: 860 }),
  changed: z.boolean().openapi({
    description: "False when the same release was already installed",
    example: true,
  }),
}).openapi("RuleSetInstalled", { description: "Installed rule set version" });

export const ActivateBody = z.object({
  version: z.string().min(1).max(32).openapi({ description: "Version number", example: "1.3.16" }),
  from: Day.optional().openapi({
    description: "First day on which the version validates; default: today",
    example: "2026-09-01",
  }),
}).strict().openapi("RuleSetActivation", { description: "Version to activate" });
export const Activated = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  effectiveFrom: z.string().openapi({
    description: "First day on which the version validates",
    example: "2026-09-01",
  }),
})
  .openapi("RuleSetActivated", { description: "First day of the activated version" });

const MOMENT = z.iso.datetime({ offset: true });

export const OverrideBody = z.object({
  rule: z.string().min(1).max(200).openapi({
    description: "Rule to override",
    example: "BR-FR-12",
  }),
  level: LevelOrOff.openapi({
    description: "Severity to set; `OFF` disables the rule",
    example: "FATAL",
  }),
  reason: z.string().trim().min(1, words(say`a reason is required`)).max(1000).openapi({
    description: "Reason for the override, shown in every report",
    example: "Agreed with the buyer until the ERP is updated",
  }),
  expires: z.string().superRefine((text, context) => {
    if (MOMENT.safeParse(text).success) return;
    context.addIssue(
      createIssue(say`"${text.slice(0, 100)}" is not a moment of ISO 8601 with its offset`),
    );
  })
    .openapi({
      description: "Time when the override ends, at most one year ahead",
      example: "2026-12-31T00:00:00.000Z",
    }),
}).strict().openapi("RuleOverrideRequest", { description: "Override to create" });
export const Overridden = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  id: z.int().openapi({
    description: "Number of the override",
    example: 12,
  }),
})
  .openapi("RuleOverridden", { description: "Created override" });
export const RuleQuery = z.object({
  rule: z.string().min(1).max(200).openapi({
    description: "Rule whose override is removed",
    example: "BR-FR-12",
  }),
});

export const CompareBody = z.object({
  from: z.string().min(1).max(100).openapi({
    example: "en16931-ubl@1.3.15",
    description: "First version, as `<set>@<version>`",
  }),
  to: z.string().min(1).max(100).openapi({
    example: "en16931-ubl@1.3.16",
    description: "Second version, as `<set>@<version>`",
  }),
  folder: z.string().min(1).max(4096).optional()
    .openapi({
      description: "Folder of documents in the data folder; default: the archive",
      example: "archive/2026",
    }),
  since: Day.optional().openapi({
    description: "First issue date of the documents in the archive",
    example: "2026-09-01",
  }),
  limit: z.int().min(1).max(10_000).optional().openapi({
    description: "Maximum number of documents",
    example: 1000,
  }),
}).strict().openapi("RuleComparisonRequest", { description: "Versions and documents to compare" });

const Difference = z.object({
  rule: z.string().openapi({ description: "Identifier of the rule", example: "BR-CO-15" }),
  level: Level.openapi({
    description: "Severity of the finding; a `FATAL` finding blocks the submission",
    example: "FATAL",
  }),
  documents: z.int().openapi({ description: "Number of documents", example: 3 }),
  names: z.array(z.string()).readonly().openapi({
    description: "Names of the first documents",
    example: ["invoice-1.xml"],
  }),
}).openapi({ description: "Rule with the documents that it concerns" });
export const Comparison = z.object({
  documents: z.int().openapi({ description: "Number of compared documents", example: 860 }),
  capped: z.boolean().openapi({
    description: "True when more documents differ than the answer lists",
    example: false,
  }),
  newlyInvalidDocuments: z.int().openapi({
    description: "Number of documents that become invalid",
    example: 1,
  }),
  newlyInvalid: z.array(z.string()).readonly().openapi({
    description: "First documents that become invalid",
    example: ["invoice-1.xml"],
  }),
  newlyValidDocuments: z.int().openapi({
    description: "Number of documents that become valid",
    example: 0,
  }),
  newlyValid: z.array(z.string()).readonly().openapi({
    description: "First documents that become valid",
    example: [],
  }),
  newlyFailing: z.array(Difference).readonly().openapi({
    description: "Rules that fail only with the second version",
  }),
  noLongerFailing: z.array(Difference).readonly().openapi({
    description: "Rules that fail only with the first version",
  }),
}).openapi("RuleComparison", {
  description: "Documents whose result differs between two versions",
});
