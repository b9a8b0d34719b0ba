import { z } from "@hono/zod-openapi";

const path = z.string().min(1).max(4096)
  .openapi({ description: "Inside the data folder; absolute or relative to it", example: "input" });

export const BrowseQuery = z.object({
  path: path.optional().openapi({ description: "Omitted: the data folder" }),
});
export const PathQuery = z.object({ path });
export const WriteBody = z.object({ path, content: z.string() }).strict().openapi("FileWrite");
export const Written = z.object({
  success: z.literal(true),
  doesNotCompile: z.object({
    message: z.string(),
    file: z.string().openapi({
      description: "The stylesheet at fault, perhaps one it imports, as a template names it",
    }),
    line: z.int().openapi({ description: "0 where it is not known" }),
  }).optional().openapi({
    description:
      "Of a stylesheet that a template transforms by: it is written, and every invoice will fail by this",
  }),
}).openapi("FileWritten");
export const CopyBody = z.object({ source: path, dest: path }).strict().openapi("FileCopy");

export const Listing = z.object({
  success: z.literal(true),
  path: z.string(),
  parent: z.string().nullable().openapi({ description: "Null in the data folder itself" }),
  items: z.array(z.object({
    name: z.string(),
    path: z.string(),
    type: z.enum(["file", "dir"]),
    size: z.int().optional().openapi({ description: "Bytes; files only" }),
  })),
}).openapi("FileListing");

export const FileContent = z.object({
  success: z.literal(true),
  path: z.string(),
  content: z.string(),
}).openapi("FileContent");

export const UploadQuery = z.object({
  template: z.string().min(1).openapi({
    description: "Its property `inputDir` is where the file goes",
  }),
  filename: z.string().min(1).max(200),
  existing: z.enum(["replace", "keep"]).default("replace").openapi({
    description:
      "What happens to a file of that name. `replace`: the new one takes its place. `keep`: both stay, " +
      "the new one under the next free name such as `report (2).xml`; the same content is not kept twice",
  }),
});
export const Uploaded = z.object({
  success: z.literal(true),
  file: z.string().openapi({ description: "The path it was saved under" }),
  replaced: z.boolean().openapi({
    description: "Whether a file of that name with another content was there, and is no more",
  }),
}).openapi("Uploaded");

export const InstallBody = z.object({ targetDir: path }).strict().openapi("XslInstall");
export const Installed = z.object({
  success: z.literal(true),
  targetDir: z.string(),
  installed: z.array(z.string()),
  kept: z.array(z.string()).openapi({
    description: "Edited since they were installed; left as they are",
  }),
}).openapi("XslInstalled");

const bundledName = z.string().min(1).max(300);
export const StylesheetQuery = z.object({
  name: bundledName.openapi({ description: "As the list has it", example: "R42565.xsl" }),
});
export const StylesheetList = z.object({
  stylesheets: z.array(
    z.object({ name: bundledName, path: z.string(), size: z.int() }).openapi("BundledStylesheet"),
  ),
}).openapi("BundledStylesheets");
export const StylesheetSource = z.object({ name: z.string(), content: z.string() })
  .openapi("StylesheetSource");
