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
    description: "A language, or the texts of an app in it: `fr`, `sales.fr`",
    example: "fr",
  }),
});
const revision = z.coerce.number().int().min(1).openapi({
  type: "integer",
  description: "Number of a revision",
  example: 12,
});
export const SectionRevisionPath = SectionPath.extend({ revision });
export const PackRevisionPath = PackPath.extend({ revision });

const flag = z.enum(["true", "false"]).optional();
export const WriteQuery = z.object({
  dry_run: flag.openapi({ description: "`true` changes nothing and answers what would change" }),
  force: flag.openapi({ description: "`true` accepts references that lead nowhere afterwards" }),
});
export const RenameQuery = WriteQuery.pick({ dry_run: true });
export const ReloadQuery = z.object({
  scope: z.string().max(200).default("all").openapi({
    description: "A section, a language pack such as `i18n/fr`, or `all`",
  }),
  force: WriteQuery.shape.force,
});
export const RevisionsQuery = z.object({
  before: z.coerce.number().int().min(1).optional().openapi({
    type: "integer",
    description: "Only older ones than this number",
    example: 12,
  }),
  limit: z.coerce.number().int().min(1).max(200).default(50).openapi({
    type: "integer",
    default: 50,
  }),
});

export const Parsed = z.record(z.string(), z.unknown()).openapi("SettingsSection", {
  description: "The section as its schema has it",
});
export const Raw = z.object({ text: z.string() }).strict().openapi("SettingsText");

export const SectionList = z.object({
  sections: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["section", "pack"]),
      revision: z.int().nullable(),
      at: z.iso.datetime().nullable(),
      by: z.string().nullable(),
      in_force: z.boolean(),
    }).openapi("SettingsListed"),
  ),
}).openapi("SettingsList");

const Problem = z.object({
  section: z.string(),
  path: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
}).openapi("SettingsProblem");

const Impact = z.object({
  broken: z.array(Problem),
  codes_gone: z.array(z.string()),
  codes_new: z.array(z.string()),
  losses: z.array(
    z.object({ code: z.string(), roles: z.array(z.string()), users: z.array(z.string()) })
      .openapi("SettingsLoss"),
  ),
}).openapi("SettingsImpact");

const outcome = {
  ok: z.literal(true),
  revision: z.int().nullable(),
  diff: z.string().optional(),
  warning: z.string().optional(),
  impact: Impact,
};
export const Outcome = z.object(outcome).openapi("SettingsOutcome");

export const RenameBody = z.object({
  scope: z.enum(RENAMED),
  from: z.string().min(1).max(200),
  to: z.string().min(1).max(200),
}).strict().openapi("SettingsRename");
export const RenameOutcome = z.object({
  ...outcome,
  places: z.array(Problem.omit({ message: true }).openapi("SettingsPlace")),
  roles: z.array(
    z.object({ role: z.string(), from: z.string(), to: z.string() }).openapi("SettingsRoleCode"),
  ),
}).openapi("SettingsRenameOutcome");

export const Reloaded = z.object({
  ok: z.literal(true),
  reloaded: z.array(z.string()),
  revision: z.int(),
}).openapi("SettingsReloaded");

const Revision = z.object({
  revision: z.int(),
  at: z.iso.datetime(),
  by: z.string(),
  note: z.string(),
});
export const Revisions = z.object({
  revisions: z.array(Revision.openapi("SettingsRevision")),
  has_more: z.boolean(),
  total: z.int().openapi({ description: "Revisions of the section", example: 12 }),
}).openapi("SettingsRevisions");
export const RevisionDetail = Revision.extend({ diff: z.string() }).openapi(
  "SettingsRevisionDetail",
);

export const JsonSchema = z.record(z.string(), z.unknown()).openapi("JsonSchema", {
  description: "JSON Schema 2020-12",
});

export const Refused = z.object({ detail: z.string(), errors: z.array(Problem).optional() })
  .openapi("SettingsRefusal");

const Bundle = z.record(z.string(), z.string());
export const Sections = z.object({ sections: Bundle }).openapi("SettingsSections");
export const ApplyBody = z.object({ sections: Bundle, prune: z.boolean().default(false) }).strict()
  .openapi("SettingsApply");
export const Applied = z.object({ ...outcome, changed: z.array(z.string()) })
  .openapi("SettingsApplied");
