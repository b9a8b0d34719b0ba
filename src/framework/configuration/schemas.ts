import { z } from "@hono/zod-openapi";
import { SECTIONS } from "#src/definitions/sections.ts";
import { RENAMED } from "./rename.ts";

export const SectionPath = z.object({
  section: z.string().min(1).openapi({
    description: `One of ${SECTIONS.join(", ")}`,
    example: "connectors",
  }),
});
export const PackPath = z.object({
  pack: z.string().min(1).openapi({
    description: "Language, or the texts of an app in a language: `fr`, `sales.fr`",
    example: "fr",
  }),
});
const revision = z.coerce.number().int().min(1).openapi({
  type: "integer",
  description: "Number of a revision",
  example: 12,
});
export const SectionRevisionPath = SectionPath.extend({
  revision: revision.openapi({
    description: "Number of the revision",
    example: 12,
  }),
});
export const PackRevisionPath = PackPath.extend({
  revision: revision.openapi({
    description: "Number of the revision",
    example: 12,
  }),
});

const flag = z.enum(["true", "false"]).optional();
export const WriteQuery = z.object({
  dry_run: flag.openapi({ description: "`true` shows the changes and stores nothing" }),
  force: flag.openapi({ description: "`true` accepts broken references" }),
});
export const RenameQuery = WriteQuery.pick({ dry_run: true });
export const ReloadQuery = z.object({
  scope: z.string().max(200).default("all").openapi({
    description: "Section, language pack such as `i18n/fr`, or `all`",
  }),
  force: WriteQuery.shape.force,
});
export const RevisionsQuery = z.object({
  before: z.coerce.number().int().min(1).optional().openapi({
    type: "integer",
    description: "Only revisions before this number",
    example: 12,
  }),
  limit: z.coerce.number().int().min(1).max(200).default(50).openapi({
    type: "integer",
    default: 50,
    description: "Maximum number of revisions",
    example: 50,
  }),
});

export const Parsed = z.record(z.string(), z.unknown()).openapi("SettingsSection", {
  description: "Section as JSON, in the format of its schema",
});
export const Raw = z.object({
  text: z.string().openapi({
    description: "Section in YAML",
    example: "version: 1\npools: {}\n",
  }),
}).strict().openapi("SettingsText", { description: "Text of a section" });

export const SectionList = z.object({
  sections: z.array(
    z.object({
      name: z.string().openapi({
        description: "Name of the section, or of the language pack as `i18n/fr`",
        example: "connectors",
      }),
      kind: z.enum(["section", "pack"]).openapi({
        description: "`section` or `pack` (language pack)",
        example: "section",
      }),
      revision: z.int().nullable().openapi({
        description: "Number of the last change; null before the first",
        example: 12,
      }),
      at: z.iso.datetime().nullable().openapi({
        description: "Time of the last change; null before the first",
        example: "2026-11-20T09:30:00.000Z",
      }),
      by: z.string().nullable().openapi({
        description: "User of the last change; null before the first",
        example: "admin",
      }),
      in_force: z.boolean().openapi({
        description: "False when a reload is required to apply the stored text",
        example: true,
      }),
    }).openapi("SettingsListed", { description: "Section or language pack with its last change" }),
  ).openapi({ description: "Sections and language packs that the caller may read" }),
}).openapi("SettingsList", { description: "Sections and language packs" });

const Problem = z.object({
  section: z.string().openapi({
    description: "Section or language pack",
    example: "connectors",
  }),
  path: z.string().openapi({
    description: "Path of the value in the section",
    example: "pools.main.driver",
  }),
  line: z.int().openapi({ description: "Line of the section's text, from 1", example: 5 }),
  column: z.int().openapi({ description: "Column of the line, from 1", example: 13 }),
  message: z.string().openapi({
    description: "Message in the caller's language",
    example: "main.driver is missing",
  }),
}).openapi("SettingsProblem", { description: "Problem in the text of a section" });

const Impact = z.object({
  broken: z.array(Problem).openapi({
    description: "References that the change breaks",
  }),
  codes_gone: z.array(z.string()).openapi({
    description: "Permission codes that no longer exist",
    example: ["sql:erp:orders"],
  }),
  codes_new: z.array(z.string()).openapi({
    description: "New permission codes",
    example: ["sql:erp:invoices"],
  }),
  losses: z.array(
    z.object({
      code: z.string().openapi({
        description: "Removed permission code",
        example: "sql:erp:orders",
      }),
      roles: z.array(z.string()).openapi({
        description: "Roles that name the code",
        example: ["clerk"],
      }),
      users: z.array(z.string()).openapi({
        description: "Active users who hold the code",
        example: ["mdurand"],
      }),
    })
      .openapi("SettingsLoss", { description: "Removed permission code with its holders" }),
  ).openapi({
    description: "Removed permission codes that roles or users still hold",
  }),
}).openapi("SettingsImpact", { description: "Consequences of a change" });

const findings = {
  refused: z.array(Problem).openapi({
    description: "Queries that their database refuses, with the line of the SQL if it is known",
  }),
  unchecked: z.array(z.string()).openapi({
    description: "Queries that a database could not check, each sentence with its reason",
    example: ["The database erp could not check erp.orders: The database cannot be reached"],
  }),
};
const QueryFindings = z.object({
  ...findings,
  unchanged: z.object(findings).openapi({
    description: "Findings in the other queries of a written text of connectors",
  }),
}).openapi("SettingsQueryFindings", {
  description: "Findings of the databases in changed queries, and apart from them in the others; " +
    "none of the queries was run",
});

const outcome = {
  ok: z.literal(true).openapi({ description: "Success of the call; always true here" }),
  revision: z.int().nullable().openapi({
    description: "Number of the change; null when nothing changed",
    example: 12,
  }),
  diff: z.string().optional().openapi({
    description: "Changes as a unified diff in a dry run, with masked secrets",
    example: "-  port: 5432\n+  port: 5433\n",
  }),
  warning: z.string().optional().openapi({
    description: "Reason why the stored text is not applied yet",
  }),
  impact: Impact,
  queries: QueryFindings.optional().openapi({
    description:
      "Findings in queries with changed statements, parameters or pools, and in the others of a text of " +
      "connectors; only a dry run has them",
  }),
};
export const Outcome = z.object(outcome).openapi("SettingsOutcome", {
  description: "Result of changing a section",
});

export const RenameBody = z.object({
  scope: z.enum(RENAMED).openapi({
    description: "Kind of the object",
    example: "query",
  }),
  from: z.string().min(1).max(200).openapi({
    description: "Current name, such as `<connector>.<query>` or `<app>/<screen>`",
    example: "erp.orders",
  }),
  to: z.string().min(1).max(200).openapi({
    description: "New name, without the connector or app",
    example: "invoices",
  }),
}).strict().openapi("SettingsRename", { description: "Object to rename" });
export const RenameOutcome = z.object({
  ...outcome,
  places: z.array(
    Problem.omit({ message: true }).openapi("SettingsPlace", {
      description: "Position of a name in a section",
    }),
  ).openapi({
    description: "Positions of the name",
  }),
  roles: z.array(
    z.object({
      role: z.string().openapi({ description: "Role with the code", example: "clerk" }),
      from: z.string().openapi({ description: "Old code", example: "sql:erp:orders" }),
      to: z.string().openapi({ description: "New code", example: "sql:erp:invoices" }),
    }).openapi("SettingsRoleCode", { description: "Changed permission code of a role" }),
  ).openapi({ description: "Permission codes of roles that change with the name" }),
}).openapi("SettingsRenameOutcome", { description: "Result of renaming" });

export const Reloaded = z.object({
  ok: z.literal(true).openapi({ description: "Success of the call; always true here" }),
  reloaded: z.array(z.string()).openapi({
    description: "Sections whose applied texts changed",
    example: ["connectors"],
  }),
  revision: z.int().openapi({
    description: "Number of the last applied change",
    example: 12,
  }),
}).openapi("SettingsReloaded", { description: "Result of a reload" });

const Revision = z.object({
  revision: z.int().openapi({ description: "Number of the revision", example: 12 }),
  at: z.iso.datetime().openapi({
    description: "Time of the change",
    example: "2026-11-20T09:30:00.000Z",
  }),
  by: z.string().openapi({ description: "User who made the change", example: "admin" }),
  note: z.string().openapi({ description: "Origin of the change", example: "saved" }),
});
export const Revisions = z.object({
  revisions: z.array(Revision.openapi("SettingsRevision", { description: "Revision of a section" }))
    .openapi({
      description: "Revisions of this page, newest first",
    }),
  has_more: z.boolean().openapi({
    description: "True when there are older revisions",
    example: false,
  }),
  total: z.int().openapi({ description: "Number of revisions", example: 12 }),
}).openapi("SettingsRevisions", { description: "Page of revisions of a section" });
export const RevisionDetail = Revision.extend({
  diff: z.string().openapi({
    description: "Changes of the revision as a unified diff",
    example: "-  port: 5432\n+  port: 5433\n",
  }),
}).openapi(
  "SettingsRevisionDetail",
  { description: "Revision with its changes" },
);

export const JsonSchema = z.record(z.string(), z.unknown()).openapi("JsonSchema", {
  description: "JSON Schema 2020-12",
});

export const Refused = z.object({
  detail: z.string().openapi({
    description: "First problem and number of further ones",
    example: "pools.yaml:5:13: main.driver is missing",
  }),
  errors: z.array(Problem).optional().openapi({ description: "Problems with their positions" }),
})
  .openapi("SettingsRefusal", { description: "Refused change with its problems" });

const Bundle = z.record(z.string(), z.string());
export const Sections = z.object({
  sections: Bundle.openapi({
    description: "YAML texts by section name",
    example: { pools: "version: 1\npools: {}\n" },
  }),
}).openapi("SettingsSections", { description: "Texts of all sections" });
export const ApplyBody = z.object({
  sections: Bundle.openapi({
    description: "YAML texts by section name",
    example: { pools: "version: 1\npools: {}\n" },
  }),
  prune: z.boolean().default(false).openapi({
    description: "True to delete sections that the call does not name",
    example: false,
  }),
}).strict()
  .openapi("SettingsApply", { description: "Sections to replace" });
export const Applied = z.object({
  ...outcome,
  changed: z.array(z.string()).openapi({
    description: "Sections whose texts changed",
    example: ["connectors"],
  }),
})
  .openapi("SettingsApplied", { description: "Result of replacing several sections" });
