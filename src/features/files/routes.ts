import type { Deps } from "#src/deps.ts";
import { flowingBody } from "#src/http/body.ts";
import { MB } from "#src/http/intake.ts";
import { body, Done, done, failing, json, newRouter, route, uploadBody } from "#src/http/router.ts";
import { browse } from "./browse.ts";
import { copyFile, writeText } from "./change_files.ts";
import { installStylesheets } from "./install_stylesheets.ts";
import { readText } from "./read_text.ts";
import {
  BrowseQuery,
  CopyBody,
  FileContent,
  InstallBody,
  Installed,
  Listing,
  PathQuery,
  Uploaded,
  UploadQuery,
  WriteBody,
} from "./schemas.ts";
import { saveUpload } from "./upload.ts";

const READ = { "x-permission": "files:read" as const, tags: ["Files"] };
const WRITE = { "x-permission": "files:write" as const, tags: ["Files"] };

const browseRoute = route({
  ...READ,
  method: "get",
  operationId: "browseFolder",
  path: "/api/fs/browse",
  summary: "What a folder of the data folder holds",
  request: { query: BrowseQuery },
  responses: {
    200: json(Listing, "Folders first, then files, by name"),
    ...failing(404, 409, 422),
  },
});
const read = route({
  ...READ,
  method: "get",
  operationId: "readFile",
  path: "/api/fs/read",
  summary: "Read a text file of at most 10 MB",
  request: { query: PathQuery },
  responses: { 200: json(FileContent, "The text"), ...failing(404, 409, 413, 415, 422) },
});
const write = route({
  ...WRITE,
  method: "put",
  operationId: "writeFile",
  path: "/api/fs/write",
  summary: "Write a text file, all or nothing",
  request: { body: body(WriteBody, { limit: 12 * MB }) },
  responses: { 200: json(Done, "Written"), ...failing(404, 409, 422) },
});
const copy = route({
  ...WRITE,
  method: "post",
  operationId: "copyFile",
  path: "/api/fs/copy",
  summary: "Copy a file; a file of that name is replaced",
  request: { body: body(CopyBody) },
  responses: { 200: json(Done, "Copied"), ...failing(404) },
});

const upload = route({
  ...WRITE,
  method: "post",
  tags: ["Processing"],
  operationId: "uploadFile",
  path: "/api/upload",
  summary: "Save a file in the input folder of a template",
  request: {
    query: UploadQuery,
    body: uploadBody("application/octet-stream"),
  },
  responses: { 200: json(Uploaded, "Where it was saved"), ...failing(404, 409, 422) },
});
const install = route({
  ...WRITE,
  method: "post",
  tags: ["Processing"],
  operationId: "installStylesheets",
  path: "/api/xsl/install",
  summary: "Copy the bundled stylesheets into a folder, to be edited there",
  request: { body: body(InstallBody) },
  responses: { 200: json(Installed, "What was copied"), ...failing(404) },
});

export function fileRoutes(
  deps: Pick<Deps, "db" | "settings" | "storage" | "stylesheets" | "vault">,
) {
  return newRouter("invoicing")
    .openapi(browseRoute, async (c) => {
      const listing = await browse(deps, c.req.valid("query").path);
      return c.json({ success: true as const, ...listing }, 200);
    })
    .openapi(read, async (c) => {
      const text = await readText(deps, c.req.valid("query").path);
      return c.json({ success: true as const, ...text }, 200);
    })
    .openapi(write, async (c) => {
      await writeText(deps, c.req.valid("json"));
      return c.json(done, 200);
    })
    .openapi(copy, async (c) => {
      const { username } = c.var.actor;
      await copyFile(deps, { ...c.req.valid("json"), username });
      return c.json(done, 200);
    })
    .openapi(upload, async (c) => {
      const { maxUploadBytes: limit, uploads } = deps.settings;
      const content = flowingBody(c, { limit, windowMs: uploads.stallMs });
      const file = await saveUpload(deps, {
        ...c.req.valid("query"),
        content,
        username: c.var.actor.username,
      });
      return c.json({ success: true as const, file }, 200);
    })
    .openapi(install, async (c) => {
      return c.json({
        success: true as const,
        ...await installStylesheets(deps, c.req.valid("json").targetDir),
      }, 200);
    });
}
