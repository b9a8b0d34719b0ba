import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";
import { oneOrSeveral, windowed, windowQuery } from "#src/http/list.ts";
import { TEMPLATE_TYPES } from "#src/domain/template/template.ts";

const TemplateName = z.string().trim().min(1, { abort: true }).max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
    words(say`letters, digits, space, dot, dash and underscore only`),
  )
  .openapi({ example: "R42565" });

export const Template = z.object({
  name: TemplateName,
  type: z.enum(TEMPLATE_TYPES).openapi({
    description: "System templates are given; they can be updated only",
  }),
  properties: z.record(z.string().min(1).max(100), z.string().max(100_000)).default({})
    .openapi({ example: { transform: "%APP_HOME%/R42565.xsl" } }),
  secrets: z.array(z.string().min(1).max(100)).max(200).readonly().optional().openapi({
    description: "Properties of names of your own that are secret besides those of the catalogue " +
      "(`/api/config/template-properties`): encrypted at rest, masked in answers. Without it: those that were, and those named like secrets",
    example: ["access_code"],
  }),
}).strict().openapi("Template");

export const TemplateList = z.object({ templates: z.array(Template), ...windowed }).openapi(
  "TemplateList",
);
export const PropertyCatalogues = z.object({
  catalogues: z.array(
    z.object({
      type: z.enum(TEMPLATE_TYPES),
      name: z.string().optional().openapi({ description: "The system template it is of" }),
      others: z.enum(["kept", "refused"]).openapi({
        description: "What happens to properties of other names",
      }),
      properties: z.array(
        z.object({
          name: z.string(),
          label: z.object({ en: z.string(), fr: z.string() }).openapi({
            description: "What a form calls it",
          }),
          type: z.string().openapi({ description: "What it holds; every value is sent as text" }),
          default: z.string().optional().openapi({ description: "What an empty one means" }),
          otherwise: z.object({ en: z.string(), fr: z.string() }).optional().openapi({
            description: "What an empty one means, where that is no fixed value",
          }),
          choices: z.array(z.string()).optional(),
          choiceLabels: z.record(z.string(), z.object({ en: z.string(), fr: z.string() }))
            .optional()
            .openapi({
              description: "What a form calls the choices, where they are no words of their own",
              example: { Y: { en: "Yes", fr: "Oui" }, N: { en: "No", fr: "Non" } },
            }),
          min: z.number().optional(),
          max: z.number().optional(),
          sentTo: z.array(z.string()).optional().openapi({
            description:
              "Of a secret: the properties that say where it is sent; when one changes it is entered again",
          }),
          help: z.object({ en: z.string(), fr: z.string() }),
        }).openapi("TemplateProperty"),
      ),
    }).openapi("TemplatePropertyCatalogue"),
  ),
}).openapi("TemplatePropertyCatalogues");

export const TypeQuery = windowQuery().extend({
  type: z.preprocess(
    (given) =>
      given === undefined ? undefined : [given].flat().join(",").split(",").map((it) => it.trim()),
    z.array(z.enum(TEMPLATE_TYPES)).max(50).optional(),
  ).openapi({
    ...oneOrSeveral(TEMPLATE_TYPES),
    description:
      "Types separated by commas. Without it `/api/config/templates` lists system and document " +
      "templates, `/api/templates` all",
    example: ["system", "document"],
  }),
});
export const DryRunQuery = z.object({
  dry_run: z.enum(["true", "false"]).optional().openapi({
    description: "`true` checks the template and stores nothing",
  }),
});
export const NameQuery = z.object({ name: z.string().min(1) });
export const NamePath = z.object({ name: z.string().min(1) });
export const CopyBody = z.object({ source: z.string().min(1), target: TemplateName }).strict()
  .openapi("TemplateCopy");
export const CopyPath = z.object({ from: z.string().min(1), to: TemplateName });
