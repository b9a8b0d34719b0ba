import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { streamedBody } from "#src/http/body.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { MB } from "#src/http/intake.ts";
import { jsonWithText } from "#src/http/long_text.ts";
import { body, Done, done, failing, json, newRouter, route, uploadBody } from "#src/http/router.ts";
import { oneAfterAnother } from "#src/kernel/one_after_another.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { belowRoot } from "#src/ports/storage.ts";
import { browse } from "./browse.ts";
import { copyFile, writeText } from "./change_files.ts";
import { createCompileCheck } from "./compile_check.ts";
import { installStylesheets } from "./install_stylesheets.ts";
import { readText } from "./read_text.ts";
import { removeStylesheet } from "./remove_stylesheet.ts";
import {
  BrowseQuery,
  CopyBody,
  FileContent,
  InstallBody,
  Installed,
  Listing,
  PathQuery,
  StylesheetList,
  StylesheetQuery,
  StylesheetSource,
  Uploaded,
  UploadQuery,
  WriteBody,
  Written,
} from "./schemas.ts";
import { listStylesheets, readStylesheet } from "./show_stylesheets.ts";
import { saveUpload } from "./upload.ts";
import { etagOf, type Fingerprint, type Replaced } from "./write_known.ts";

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
  responses: { 200: tagged(FileContent, "The text"), ...failing(404, 409, 413, 415, 422) },
});
const write = route({
  ...WRITE,
  method: "put",
  operationId: "writeFile",
  "x-audit": "file.written",
  path: "/api/fs/write",
  summary: "Write a text file, all or nothing",
  request: { headers: IfMatch, body: body(WriteBody, { limit: 12 * MB }) },
  responses: { 200: tagged(Written, "Written"), ...failing(404, 409, 412, 413, 422, 503) },
});
const copy = route({
  ...WRITE,
  method: "post",
  operationId: "copyFile",
  "x-audit": "file.copied",
  path: "/api/fs/copy",
  summary: "Copy a file; a file of that name is replaced",
  request: { headers: IfMatch, body: body(CopyBody) },
  responses: { 200: tagged(Done, "Copied"), ...failing(404, 412, 413, 503) },
});

const upload = route({
  ...WRITE,
  method: "post",
  tags: ["Processing"],
  operationId: "uploadFile",
  "x-audit": "file.uploaded",
  path: "/api/upload",
  summary:
    "Save a file in the input folder of a template; a file of that name is replaced, or kept when asked",
  request: {
    query: UploadQuery,
    body: uploadBody("application/octet-stream"),
  },
  responses: { 200: tagged(Uploaded, "Where it was saved"), ...failing(404, 409, 422) },
});
const stylesheets = route({
  ...READ,
  method: "get",
  operationId: "listStylesheets",
  path: "/api/xsl",
  summary: "The stylesheets that come with the product",
  responses: { 200: json(StylesheetList, "By name") },
});
const stylesheet = route({
  ...READ,
  method: "get",
  operationId: "readStylesheet",
  path: "/api/xsl/source",
  summary: "The text of a stylesheet that comes with the product",
  request: { query: StylesheetQuery },
  responses: { 200: json(StylesheetSource, "The text"), ...failing(404) },
});
const removal = route({
  ...WRITE,
  method: "delete",
  operationId: "deleteStylesheet",
  "x-audit": "stylesheet.deleted",
  path: "/api/xsl",
  summary: "Delete a stylesheet of the data folder that no template needs",
  request: { headers: IfMatch, query: PathQuery },
  responses: {
    200: json(Done, "Deleted"),
    ...failing(404, 409, 412, 422, 429),
  },
});
const install = route({
  ...WRITE,
  method: "post",
  tags: ["Processing"],
  operationId: "installStylesheets",
  "x-audit": "stylesheets.installed",
  path: "/api/xsl/install",
  summary: "Copy the bundled stylesheets into a folder, to be edited there",
  request: { body: body(InstallBody) },
  responses: { 200: json(Installed, "What was copied"), ...failing(404, 413, 503) },
});

/** Deletions that wait for the one whose stylesheet is sought among what templates import. */
const MOST_WAITING = 5;

export function fileRoutes(
  deps: Pick<Deps, "db" | "log" | "settings" | "storage" | "stylesheets" | "vault" | "xslt">,
) {
  const whyNotCompiled = createCompileCheck(deps);
  const inTurn = oneAfterAnother(
    MOST_WAITING,
    say`Many stylesheets are being deleted already; try again`,
  );
  const named = ({ path }: Fingerprint) => belowRoot(deps.storage, path);
  return newRouter("invoicing")
    .openapi(browseRoute, async (c) => {
      const listing = await browse(deps, c.req.valid("query").path);
      return c.json({ success: true as const, ...listing }, 200);
    })
    .openapi(read, async (c) => {
      const { path, content, etag } = await readText(deps, c.req.valid("query").path);
      c.header("ETag", etag);
      return jsonWithText(c, { success: true, path }, ["content", content]) as never;
    })
    .openapi(write, async (c) => {
      const { username } = c.var.actor;
      const ifMatch = ifMatchOf(c);
      const replaced = await writeText(deps, { ...c.req.valid("json"), username, ifMatch });
      audit(c, named(replaced.after), replaced);
      const not = await whyNotCompiled(replaced.after.path, c.req.raw.signal);
      const doesNotCompile = not && { ...not, message: not.message[c.var.language] };
      return c.json({ ...done, ...doesNotCompile && { doesNotCompile } }, 200);
    })
    .openapi(copy, async (c) => {
      const { username } = c.var.actor;
      const { source } = c.req.valid("json");
      const ifMatch = ifMatchOf(c);
      const replaced = await copyFile(deps, { ...c.req.valid("json"), username, ifMatch });
      audit(c, named(replaced.after), replaced, { source });
      return c.json(done, 200);
    })
    .openapi(upload, async (c) => {
      const { maxUploadBytes: limit, uploads } = deps.settings;
      const content = streamedBody(c, { limit, windowMs: uploads.stallMs });
      const { file, ...replaced } = await saveUpload(deps, {
        ...c.req.valid("query"),
        content,
        username: c.var.actor.username,
      });
      audit(c, named(replaced.after), replaced);
      const { before, after } = replaced;
      const isReplaced = before !== undefined && before.sha256 !== after.sha256;
      return c.json({ success: true as const, file, replaced: isReplaced }, 200);
    })
    .openapi(stylesheets, async (c) => c.json({ stylesheets: await listStylesheets(deps) }, 200))
    .openapi(
      stylesheet,
      async (c) => c.json(await readStylesheet(deps, c.req.valid("query").name), 200),
    )
    .openapi(removal, async (c) => {
      const { signal } = c.req.raw;
      const which = { ...c.req.valid("query"), ifMatch: ifMatchOf(c), signal };
      const before = await inTurn(() => removeStylesheet(deps, which));
      c.set("target", named(before));
      c.set("before", before);
      c.set("after", {});
      return c.json(done, 200);
    })
    .openapi(install, async (c) => {
      const installed = await installStylesheets(deps, {
        ...c.req.valid("json"),
        username: c.var.actor.username,
      });
      c.set("after", { ...installed });
      return c.json({ success: true as const, ...installed }, 200);
    });
}

/**
 * The entry tells which file was replaced by which, and from where, never what is in them; the answer has the tag of what is there
 * now.
 */
function audit(
  c: Context<HttpEnv>,
  target: string,
  { before, after }: Replaced,
  more: object = {},
): void {
  c.header("ETag", etagOf(after));
  c.set("target", target);
  c.set("before", before);
  c.set("after", { ...after, ...more });
}
