import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
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
  name: TemplateName.openapi({ description: "Name of the template", example: "R42565" }),
  type: z.enum(TEMPLATE_TYPES).openapi({
    description: "Type of the template. System templates are built in and can only be updated",
  }),
  properties: z.record(z.string().min(1).max(100), z.string().max(100_000)).default({}).openapi({
    example: { transform: "%APP_HOME%/R42565.xsl" },
    description: "Properties by name; secrets are shown as `********`",
  }),
  secrets: z.array(z.string().min(1).max(100)).max(200).readonly().optional().openapi({
    description:
      "Your own properties that are secret, next to those of `/api/config/template-properties`. They are encrypted when stored and masked in answers. Default: the current ones and names that look like secrets",
    example: ["access_code"],
  }),
}).strict().openapi("Template", {
  description: "Template with its properties; secrets are masked",
});

export const TemplateList = z.object({
  templates: z.array(Template).openapi({ description: "Templates by name" }),
  unowned: z.array(z.string()).openapi({
    description:
      "Names of these templates that do nothing until a user saves them, because they were saved while authentication was off",
    example: [],
  }),
  ...windowed,
}).openapi(
  "TemplateList",
  { description: "Templates with masked secrets" },
);
export const PropertyCatalogues = z.object({
  catalogues: z.array(
    z.object({
      type: z.enum(TEMPLATE_TYPES).openapi({ description: "Template type", example: "document" }),
      name: z.string().optional().openapi({
        description: "System template of the catalogue",
        example: "global",
      }),
      others: z.enum(["kept", "refused"]).openapi({
        description: "Treatment of properties with other names",
      }),
      properties: z.array(
        z.object({
          name: z.string().openapi({ description: "Name of the property", example: "transform" }),
          label: z.object({
            en: z.string().openapi({ description: "Text in English", example: "Stylesheet" }),
            fr: z.string().openapi({ description: "Text in French", example: "Feuille de style" }),
          }).openapi({
            description: "Label in both languages",
          }),
          type: z.string().openapi({
            description: "Type of the value; every value is sent as text",
            example: "path",
          }),
          default: z.string().optional().openapi({
            description: "Value that applies when the property is empty",
            example: "%APP_HOME%/R42565.xsl",
          }),
          otherwise: z.object({
            en: z.string().openapi({ description: "Text in English", example: "Stylesheet" }),
            fr: z.string().openapi({ description: "Text in French", example: "Feuille de style" }),
          }).optional().openapi({
            description: "Meaning of an empty value without a fixed default, in both languages",
          }),
          choices: z.array(z.string()).optional().openapi({
            description: "Allowed values",
            example: ["Y", "N"],
          }),
          choiceLabels: z.record(
            z.string(),
            z.object({
              en: z.string().openapi({ description: "Text in English", example: "Stylesheet" }),
              fr: z.string().openapi({
                description: "Text in French",
                example: "Feuille de style",
              }),
            }),
          )
            .optional()
            .openapi({
              description: "Labels of the allowed values, when a form shows other words",
              example: { Y: { en: "Yes", fr: "Oui" }, N: { en: "No", fr: "Non" } },
            }),
          min: z.number().optional().openapi({
            description: "Smallest allowed number",
            example: 1,
          }),
          max: z.number().optional().openapi({
            description: "Largest allowed number",
            example: 65535,
          }),
          sentTo: z.array(z.string()).optional().openapi({
            description:
              "Properties that define the destination of a secret. A change of one requires the secret again",
          }),
          help: z.object({
            en: z.string().openapi({ description: "Text in English", example: "Stylesheet" }),
            fr: z.string().openapi({ description: "Text in French", example: "Feuille de style" }),
          }).openapi({ description: "Help text in both languages" }),
        }).openapi("TemplateProperty", { description: "Known property of a template" }),
      ).openapi({
        description: "Known properties, in the order of a form",
      }),
    }).openapi("TemplatePropertyCatalogue", {
      description: "Properties of one template type or system template",
    }),
  ).openapi({ description: "One catalogue per template type and per system template" }),
}).openapi("TemplatePropertyCatalogues", {
  description: "Property catalogues of all template types",
});

export const TypeQuery = windowQuery().extend({
  type: z.preprocess(
    (given) =>
      given === undefined ? undefined : [given].flat().join(",").split(",").map((it) => it.trim()),
    z.array(z.enum(TEMPLATE_TYPES)).max(50).optional(),
  ).openapi({
    ...oneOrSeveral(TEMPLATE_TYPES),
    description:
      "Template types, separated by commas. Default: system and document templates in `/api/config/templates`, all types in `/api/templates`",
    example: ["system", "document"],
  }),
});
export const DryRunQuery = z.object({
  dry_run: z.enum(["true", "false"]).optional().openapi({
    description: "`true` checks the template and stores nothing",
  }),
});
export const NameQuery = z.object({
  name: z.string().min(1).openapi({ description: "Name of the template", example: "R42565" }),
});
export const NamePath = z.object({
  name: z.string().min(1).openapi({ description: "Name of the template", example: "R42565" }),
});
export const CopyBody = z.object({
  source: z.string().min(1).openapi({
    description: "Template to copy",
    example: "R42565",
  }),
  target: TemplateName.openapi({ description: "Name of the copy", example: "R42565-2" }),
}).strict()
  .openapi("TemplateCopy", { description: "Template to copy and name of the copy" });
export const CopyPath = z.object({
  from: z.string().min(1).openapi({ description: "Template to copy", example: "R42565" }),
  to: TemplateName.openapi({ description: "Name of the copy", example: "R42565-2" }),
});
