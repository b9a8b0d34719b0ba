import { z } from "@hono/zod-openapi";
import { TEMPLATE_TYPES } from "#src/domain/template/template.ts";

export const TemplateName = z.string().trim().min(1).max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
    "letters, digits, space, dot, dash and underscore only",
  )
  .openapi({ example: "R42565" });

export const Template = z.object({
  name: TemplateName,
  type: z.enum(TEMPLATE_TYPES).openapi({
    description: "System templates are given; they can be updated only",
  }),
  properties: z.record(z.string().min(1).max(100), z.string().max(100_000)).default({})
    .openapi({ example: { transform: "%APP_HOME%/R42565.xsl" } }),
}).strict().openapi("Template");

export const TemplateList = z.object({ templates: z.array(Template) }).openapi("TemplateList");
export const NameQuery = z.object({ name: z.string().min(1) });
export const NamePath = z.object({ name: z.string().min(1) });
export const CopyBody = z.object({ source: z.string().min(1), target: TemplateName }).strict()
  .openapi("TemplateCopy");
export const CopyPath = z.object({ from: z.string().min(1), to: TemplateName });
