import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { streamedBody } from "#src/http/body.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { MB } from "#src/http/intake.ts";
import { jsonWithText } from "#src/http/long_text.ts";
import { body, Done, done, failing, json, newRouter, route, uploadBody } from "#src/http/router.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { belowRoot } from "#src/ports/storage.ts";
import { browse } from "./browse.ts";
import { copyFile, writeText } from "./change_files.ts";
import { createCompileCheck, tryCompile } from "./compile_check.ts";
import { installStylesheets } from "./install_stylesheets.ts";
import { createOwnStylesheetRoutes } from "./own_stylesheet_routes.ts";
import { readText } from "./read_text.ts";
import { removeStylesheet } from "./remove_stylesheet.ts";
import { restoreRevision, type Saved, showRevision, showRevisions } from "./save_stylesheet.ts";
import {
  BrowseQuery,
  CompileBody,
  Compiled,
  CopyBody,
  FileContent,
  InstallBody,
  Installed,
  Listing,
  PathQuery,
  RestoreBody,
  RevisionQuery,
  RevisionText,
  StylesheetList,
  StylesheetQuery,
  StylesheetRevisions,
  StylesheetSource,
  Uploaded,
  UploadQuery,
  WriteBody,
  Written,
} from "./schemas.ts";
import { listStylesheets, readStylesheet } from "./show_stylesheets.ts";
import { saveUpload } from "./upload.ts";
import { type Fingerprint, readFingerprint, type Replaced, toFileEtag } from "./write_known.ts";

const READ = { "x-permission": "files:read" as const, tags: ["Files"] };
const WRITE = { "x-permission": "files:write" as const, tags: ["Files"] };

const browseRoute = route({
  ...READ,
  method: "get",
  operationId: "browseFolder",
  path: "/api/fs/browse",
  summary: "List a folder",
  description: "For administrators of files.",
  request: { query: BrowseQuery },
  responses: {
    200: json(Listing, "Folders, then files, by name"),
    ...failing(404, 409, 422),
  },
});
const read = route({
  ...READ,
  method: "get",
  operationId: "readFile",
  path: "/api/fs/read",
  summary: "Read a text file",
  description: "For administrators of files. The file may have at most 10 MB.",
  request: { query: PathQuery },
  responses: {
    200: declareTagged(FileContent, "Text content"),
    ...failing(404, 409, 413, 415, 422),
  },
});
const write = route({
  ...WRITE,
  method: "put",
  operationId: "writeFile",
  "x-audit": "file.written",
  path: "/api/fs/write",
  summary: "Write a text file",
  description:
    "For administrators of files. The file is replaced as a whole; a failed call changes nothing.",
  request: { headers: IfMatch, body: body(WriteBody, { limit: 12 * MB }) },
  responses: {
    200: declareTagged(Written, "The file was written"),
    ...failing(404, 409, 412, 413, 422, 503),
  },
});
const copy = route({
  ...WRITE,
  method: "post",
  operationId: "copyFile",
  "x-audit": "file.copied",
  path: "/api/fs/copy",
  summary: "Copy a file",
  description: "For administrators of files. An existing destination is replaced.",
  request: { headers: IfMatch, body: body(CopyBody) },
  responses: { 200: declareTagged(Written, "The file was copied"), ...failing(404, 412, 413, 503) },
});

const upload = route({
  ...WRITE,
  method: "post",
  tags: ["Processing"],
  operationId: "uploadFile",
  "x-audit": "file.uploaded",
  path: "/api/upload",
  summary: "Upload a file",
  description:
    "For ERP systems and users who process files. The file is stored in the input folder of a template; `existing` decides about a file with the same name.",
  request: {
    query: UploadQuery,
    body: uploadBody("application/octet-stream"),
  },
  responses: { 200: declareTagged(Uploaded, "Path of the stored file"), ...failing(404, 409, 422) },
});
const stylesheets = route({
  ...READ,
  method: "get",
  operationId: "listStylesheets",
  path: "/api/xsl",
  summary: "List the bundled stylesheets",
  description: "For authors of stylesheets.",
  responses: { 200: json(StylesheetList, "List by name") },
});
const stylesheet = route({
  ...READ,
  method: "get",
  operationId: "readStylesheet",
  path: "/api/xsl/source",
  summary: "Read a bundled stylesheet",
  description: "For authors of stylesheets.",
  request: { query: StylesheetQuery },
  responses: { 200: json(StylesheetSource, "Text content"), ...failing(404) },
});
const removal = route({
  ...WRITE,
  method: "delete",
  operationId: "deleteStylesheet",
  "x-audit": "stylesheet.deleted",
  path: "/api/xsl",
  summary: "Delete a stylesheet",
  description: "For authors of stylesheets. The stylesheet must not be used by a template.",
  request: { headers: IfMatch, query: PathQuery },
  responses: {
    200: json(Done, "The stylesheet was deleted"),
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
  summary: "Copy the bundled stylesheets",
  description:
    "For authors of stylesheets, who edit the copies. Edited copies are not overwritten.",
  request: { body: body(InstallBody) },
  responses: { 200: json(Installed, "Copied files"), ...failing(404, 413, 503) },
});
const revisions = route({
  ...READ,
  method: "get",
  operationId: "listStylesheetRevisions",
  path: "/api/xsl/revisions",
  summary: "List the revisions of a stylesheet",
  description: "For authors of stylesheets. Each saved text is a revision.",
  request: { query: PathQuery },
  responses: { 200: json(StylesheetRevisions, "Entries, newest first"), ...failing(422) },
});
const revision = route({
  ...READ,
  method: "get",
  operationId: "readStylesheetRevision",
  path: "/api/xsl/revision",
  summary: "Read a revision of a stylesheet",
  description:
    "For authors of stylesheets. The answer also shows the changes to the current version.",
  request: { query: RevisionQuery },
  responses: { 200: json(RevisionText, "Text of the revision"), ...failing(404, 422) },
});
const compile = route({
  ...WRITE,
  method: "post",
  operationId: "compileStylesheet",
  "x-audit": false,
  path: "/api/xsl/compile",
  summary: "Compile a stylesheet",
  description:
    "For authors of stylesheets. The call compiles a text as if it were saved, within the templates that use it, and stores nothing.",
  request: { body: body(CompileBody, { limit: 12 * MB }) },
  responses: { 200: json(Compiled, "The first error, if any"), ...failing(413, 422, 429) },
});
const restore = route({
  ...WRITE,
  method: "post",
  operationId: "restoreStylesheet",
  "x-audit": "stylesheet.restored",
  path: "/api/xsl/restore",
  summary: "Restore a revision of a stylesheet",
  description:
    "For authors of stylesheets. The earlier text becomes a new revision, unless it still does not compile (`doesNotCompile`).",
  request: { headers: IfMatch, body: body(RestoreBody) },
  responses: {
    200: declareTagged(Written, "The change was saved"),
    ...failing(404, 412, 413, 422, 503),
  },
});

/** Limit of deletions that wait for the running search of imports. */
const MAX_WAITING = 5;

type GivenDeps = Pick<
  Deps,
  "db" | "log" | "settings" | "storage" | "stylesheets" | "vault" | "xslt"
>;
type RoutesDeps = GivenDeps & { readonly whyNotCompiled: ReturnType<typeof createCompileCheck> };

export function fileRoutes(given: GivenDeps) {
  const deps = { ...given, whyNotCompiled: createCompileCheck(given) };
  const router = newRouter("invoicing");
  const all = [storedFileRoutes(deps), stylesheetRoutes(deps), createOwnStylesheetRoutes(deps)];
  for (const it of all) router.route("/", it);
  return router;
}

function storedFileRoutes(deps: RoutesDeps) {
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
      const how = { username, ifMatch: readIfMatch(c), signal: c.req.raw.signal };
      const { path } = c.req.valid("json");
      return c.json(
        await answerChange(c, deps, {
          ...await writeText(deps, { ...c.req.valid("json"), ...how }),
          path,
        }),
        200,
      );
    })
    .openapi(copy, async (c) => {
      const { username } = c.var.actor;
      const { source, dest } = c.req.valid("json");
      const how = { username, ifMatch: readIfMatch(c), signal: c.req.raw.signal };
      const changed = await copyFile(deps, { source, dest, ...how });
      return c.json(await answerChange(c, deps, { ...changed, path: dest, more: { source } }), 200);
    })
    .openapi(upload, async (c) => {
      const { maxUploadBytes: limit, uploads } = deps.settings;
      const content = streamedBody(c, { limit, windowMs: uploads.stallMs });
      const { file, ...replaced } = await saveUpload(deps, {
        ...c.req.valid("query"),
        content,
        username: c.var.actor.username,
      });
      audit(c, getTarget(deps, replaced.after), replaced);
      const { before, after } = replaced;
      const isReplaced = before !== undefined && before.sha256 !== after.sha256;
      return c.json({ success: true as const, file, replaced: isReplaced }, 200);
    });
}

function stylesheetRoutes(deps: RoutesDeps) {
  const { run: inTurn } = newSemaphore({
    limit: 1,
    waiting: MAX_WAITING,
    full: () => say`Many stylesheets are being deleted already; try again`,
  });
  return newRouter("invoicing")
    .openapi(stylesheets, async (c) => c.json({ stylesheets: await listStylesheets(deps) }, 200))
    .openapi(
      stylesheet,
      async (c) => c.json(await readStylesheet(deps, c.req.valid("query").name), 200),
    )
    .openapi(removal, async (c) => {
      const { signal } = c.req.raw;
      const which = { ...c.req.valid("query"), ifMatch: readIfMatch(c), signal };
      const before = await inTurn(() => removeStylesheet(deps, which));
      c.set("target", getTarget(deps, before));
      c.set("before", before);
      c.set("after", {});
      return c.json(done, 200);
    })
    .openapi(revisions, async (c) => {
      const { path } = c.req.valid("query");
      return c.json({ revisions: await showRevisions(deps, path, c.var.language) }, 200);
    })
    .openapi(revision, async (c) => c.json(await showRevision(deps, c.req.valid("query")), 200))
    .openapi(compile, async (c) => {
      const fault = await tryCompile(deps, c.req.valid("json"), c.req.raw.signal);
      const shown = fault && { ...fault, message: fault.message[c.var.language] };
      return c.json({ compiles: fault === undefined, fault: shown ?? null }, 200);
    })
    .openapi(restore, async (c) => {
      const { path, revision } = c.req.valid("json");
      const { username } = c.var.actor;
      const how = { username, ifMatch: readIfMatch(c), signal: c.req.raw.signal };
      const saved = await restoreRevision(deps, { path, revision, ...how });
      const more = { restored: revision };
      return c.json(await answerChange(c, deps, { ...saved, path, more }), 200);
    })
    .openapi(install, async (c) => {
      const installed = await installStylesheets(deps, {
        ...c.req.valid("json"),
        username: c.var.actor.username,
      });
      c.set("target", getTarget(deps, { path: installed.targetDir }));
      c.set("after", { ...installed });
      return c.json({ success: true as const, ...installed }, 200);
    });
}

function getTarget({ storage }: RoutesDeps, { path }: Pick<Fingerprint, "path">): string {
  return belowRoot(storage, path);
}

type Changed = Partial<Saved> & {
  readonly path: string;
  readonly replaced?: Replaced;
  /** Further values of the audit entry. */
  readonly more?: object;
};

/** Audits a change of a file and answers with the version of a stylesheet. */
async function answerChange(c: Context<HttpEnv>, deps: RoutesDeps, changed: Changed) {
  const { replaced, revision, doesNotCompile, more = {} } = changed;
  if (replaced) audit(c, getTarget(deps, replaced.after), replaced, more);
  else {
    const path = await deps.storage.confine(changed.path);
    c.header("ETag", toFileEtag(await readFingerprint(deps.storage, path)));
    c.set("target", getTarget(deps, { path }));
    c.set("after", { revision, isInUse: false, ...more });
  }
  return {
    ...done,
    ...revision !== undefined && { revision },
    ...doesNotCompile &&
      { doesNotCompile: { ...doesNotCompile, message: doesNotCompile.message[c.var.language] } },
  };
}

/**
 * The audit entry has the fingerprints and source of both files, never their content. The answer has the tag of the
 * current file.
 */
function audit(
  c: Context<HttpEnv>,
  target: string,
  { before, after }: Replaced,
  more: object = {},
): void {
  c.header("ETag", toFileEtag(after));
  c.set("target", target);
  c.set("before", before);
  c.set("after", { ...after, ...more });
}
