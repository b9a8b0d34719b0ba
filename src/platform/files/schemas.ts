import { z } from "@hono/zod-openapi";

const path = z.string().min(1).max(4096)
  .openapi({
    description: "Path in the data folder, absolute or relative to it",
    example: "input",
  });

export const BrowseQuery = z.object({
  path: path.optional().openapi({ description: "Folder to list; default: the data folder" }),
});
export const PathQuery = z.object({
  path: path.openapi({
    description: "Path of the file in the data folder, absolute or relative to it",
    example: "in/R42565.xml",
  }),
});
export const WriteBody = z.object({
  path: path.openapi({
    description: "Path of the file in the data folder, absolute or relative to it",
    example: "in/R42565.xml",
  }),
  content: z.string().openapi({ description: "New text of the file", example: "<Invoice/>" }),
}).strict().openapi("FileWrite", { description: "File to write" });
const fault = z.object({
  message: z.string().openapi({
    description: "Error message of the compiler",
    example: "Unknown element xsl:foo",
  }),
  file: z.string().openapi({
    description: "Faulty stylesheet as a template names it; it may be an imported one",
    example: "xsl/R42565.xsl",
  }),
  line: z.int().openapi({ description: "Line of the error; 0 when it is unknown", example: 12 }),
});
export const CompileBody = z.object({
  path: path.openapi({
    description: "Path of the stylesheet in the data folder; the file may be absent",
    example: "xsl/R42565.xsl",
  }),
  content: z.string().openapi({ description: "Text to compile", example: "<xsl:stylesheet/>" }),
}).strict().openapi("StylesheetCompile", { description: "Stylesheet to compile" });
export const Compiled = z.object({
  compiles: z.boolean().openapi({ description: "True without an error" }),
  fault: fault.extend({
    isXml: z.boolean().openapi({
      description: "False for a text that is not XML and cannot be saved",
      example: true,
    }),
  }).nullable().openapi({ description: "First error; null without one" }),
}).openapi("StylesheetCompiled", { description: "Result of a compilation" });
export const Written = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  revision: z.int().optional().openapi({
    description: "Revision number of a stylesheet",
    example: 7,
  }),
  doesNotCompile: fault.optional().openapi({
    description:
      "Reason why a used stylesheet was stored as a revision only; the file itself did not change",
  }),
}).openapi("FileWritten", { description: "Result of writing a file" });
const revision = z.coerce.number().int().min(1).max(2_147_483_647).openapi({
  description: "Number of a revision",
  example: 7,
});
export const RevisionQuery = z.object({
  path: path.openapi({
    description: "Path of the stylesheet in the data folder",
    example: "xsl/R42565.xsl",
  }),
  revision: revision.openapi({
    description: "Number of the revision",
    example: 7,
  }),
});
export const RestoreBody = z.object({
  path: path.openapi({
    description: "Path of the stylesheet in the data folder",
    example: "xsl/R42565.xsl",
  }),
  revision: z.int().min(1).max(2_147_483_647).openapi({
    description: "Number of the revision to restore",
    example: 7,
  }),
}).strict().openapi("StylesheetRestore", { description: "Revision to restore" });
export const StylesheetRevisions = z.object({
  revisions: z.array(
    z.object({
      revision: z.int().openapi({ description: "Number of the revision", example: 7 }),
      at: z.iso.datetime().openapi({
        description: "Time when the revision was saved",
        example: "2026-11-20T09:30:00.000Z",
      }),
      by: z.string().openapi({
        description:
          "User who saved the revision; empty for a file that was not saved through the API",
        example: "mdurand",
      }),
      size: z.int().openapi({ description: "Size in bytes", example: 4200 }),
      isInUse: z.boolean().openapi({ description: "True when the file has this content" }),
      doesNotCompile: z.string().nullable().openapi({
        description: "Compiler error of a revision that was never in use; null when it compiles",
        example: null,
      }),
    }).openapi("StylesheetRevision", { description: "Stored revision of a stylesheet" }),
  ).openapi({ description: "Revisions, newest first" }),
}).openapi("StylesheetRevisions", { description: "Stored revisions of a stylesheet" });
export const RevisionText = z.object({
  content: z.string().openapi({
    description: "Text of the revision",
    example: "<xsl:stylesheet/>",
  }),
  diff: z.string().openapi({
    description: "Changes to the current version as a unified diff",
    example: "-<xsl:text>A</xsl:text>\n+<xsl:text>B</xsl:text>\n",
  }),
}).openapi("StylesheetRevisionText", { description: "Text of a revision" });
export const CopyBody = z.object({
  source: path.openapi({
    description: "Path of the file to copy, in the data folder",
    example: "in/R42565.xml",
  }),
  dest: path.openapi({
    description: "Path of the copy, in the data folder",
    example: "archive/R42565.xml",
  }),
}).strict().openapi("FileCopy", { description: "File to copy and its destination" });

export const Listing = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  path: z.string().openapi({
    description: "Path of the folder in the data folder",
    example: "input",
  }),
  parent: z.string().nullable().openapi({
    description: "Path of the parent folder; null for the data folder itself",
    example: null,
  }),
  items: z.array(
    z.object({
      name: z.string().openapi({ description: "Name of the entry", example: "R42565.xml" }),
      path: z.string().openapi({
        description: "Path in the data folder",
        example: "in/R42565.xml",
      }),
      type: z.enum(["file", "dir"]).openapi({ description: "`file` or `dir`" }),
      size: z.int().optional().openapi({ description: "Size of a file in bytes", example: 4200 }),
    }).openapi({ description: "File or folder" }),
  ).openapi({ description: "Folders, then files, by name" }),
}).openapi("FileListing", { description: "Content of a folder" });

export const FileContent = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  path: z.string().openapi({
    description: "Path of the file in the data folder",
    example: "in/R42565.xml",
  }),
  content: z.string().openapi({ description: "Text of the file", example: "<Invoice/>" }),
}).openapi("FileContent", { description: "Text of a file" });

export const UploadQuery = z.object({
  template: z.string().min(1).openapi({
    description: "Template whose property `inputDir` names the target folder",
    example: "R42565",
  }),
  filename: z.string().min(1).max(200).openapi({
    description: "Name of the stored file",
    example: "R42565.xml",
  }),
  existing: z.enum(["replace", "keep"]).default("replace").openapi({
    description:
      "Action when the file exists. `replace` overwrites the file. `keep` stores the new file under the next free name, such as `report (2).xml`, unless its content is the same. A file for a preview keeps its name, in a folder of its own",
  }),
  purpose: z.enum(["import", "preview"]).default("import").openapi({
    description:
      "Use of the file. `preview` stores it in the folder `preview` of the input folder, which imports of the input folder leave out",
  }),
});
export const Uploaded = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  file: z.string().openapi({ description: "Path of the stored file", example: "input/R42565.xml" }),
  replaced: z.boolean().openapi({
    description: "True when the upload replaced a file with other content",
    example: false,
  }),
}).openapi("Uploaded", { description: "Stored file" });

export const InstallBody = z.object({
  targetDir: path.openapi({
    description: "Folder in the data folder, absolute or relative to it",
    example: "xsl",
  }),
}).strict().openapi("XslInstall", { description: "Destination of the stylesheets" });
export const Installed = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  targetDir: z.string().openapi({
    description: "Folder in the data folder, absolute or relative to it",
    example: "xsl",
  }),
  installed: z.array(z.string()).openapi({
    description: "Names of the copied files",
    example: ["R42565.xsl"],
  }),
  kept: z.array(z.string()).openapi({
    description: "Files that a user edited since the last copy; they did not change",
    example: [],
  }),
}).openapi("XslInstalled", { description: "Copied stylesheets" });

const bundledName = z.string().min(1).max(300);
export const StylesheetQuery = z.object({
  name: bundledName.openapi({
    description: "Name from the list of bundled stylesheets",
    example: "R42565.xsl",
  }),
});
export const StylesheetList = z.object({
  stylesheets: z.array(
    z.object({
      name: bundledName.openapi({
        description: "Path below the folder of the bundled stylesheets",
        example: "base/party.xsl",
      }),
      path: z.string().openapi({
        description: "Path for the property `transform` of a template",
        example: "%APP_HOME%/R42565.xsl",
      }),
      size: z.int().openapi({ description: "Size in bytes", example: 4200 }),
    }).openapi("BundledStylesheet", { description: "Stylesheet that ships with the product" }),
  ).openapi({ description: "Stylesheets by name" }),
}).openapi("BundledStylesheets", { description: "Stylesheets that ship with the product" });
export const OwnStylesheets = z.object({
  stylesheets: z.array(
    z.object({
      path: z.string().openapi({
        description: "Path below the data folder, for the property `transform` of a template",
        example: "xsl/R42565.xsl",
      }),
      usedBy: z.array(
        z.object({
          template: z.string().openapi({ description: "Name of a template", example: "R42565" }),
          isImport: z.boolean().openapi({
            description: "True when the template's own stylesheet imports or includes it",
            example: false,
          }),
        }).openapi("StylesheetUser", { description: "Template that needs a stylesheet" }),
      )
        .openapi({ description: "Templates that need it" }),
      doesNotCompile: z.string().nullable().openapi({
        description:
          "Compile error of the newest revision, which is not in use; null when it compiles",
        example: null,
      }),
    }).openapi("OwnStylesheet", { description: "Stylesheet of the data folder" }),
  ).openapi({ description: "Stylesheets by path" }),
}).openapi("OwnStylesheets", { description: "Stylesheets of the data folder" });
export const StylesheetSource = z.object({
  name: z.string().openapi({ description: "Requested name", example: "R42565.xsl" }),
  content: z.string().openapi({
    description: "Text of the stylesheet",
    example: "<xsl:stylesheet/>",
  }),
})
  .openapi("StylesheetSource", { description: "Text of a bundled stylesheet" });
