import type { Deps } from "#src/deps.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { browse } from "./browse.ts";
import { copyFile, writeText } from "./change_files.ts";
import { readText } from "./read_text.ts";
import { BrowseQuery, CopyBody, FileContent, Listing, PathQuery, WriteBody } from "./schemas.ts";

const READ = { "x-permission": "files:read" as const, tags: ["Files"] };
const WRITE = { "x-permission": "files:write" as const, tags: ["Files"] };

const browseRoute = route({
  ...READ,
  method: "get",
  path: "/api/fs/browse",
  summary: "What a folder of the data folder holds",
  request: { query: BrowseQuery },
  responses: { 200: json(Listing, "Folders first, then files, by name"), ...failures },
});
const read = route({
  ...READ,
  method: "get",
  path: "/api/fs/read",
  summary: "Read a text file of at most 10 MB",
  request: { query: PathQuery },
  responses: { 200: json(FileContent, "The text"), ...failures },
});
const write = route({
  ...WRITE,
  method: "put",
  path: "/api/fs/write",
  summary: "Write a text file, all or nothing",
  request: { body: body(WriteBody) },
  responses: { 200: json(Done, "Written"), ...failures },
});
const copy = route({
  ...WRITE,
  method: "post",
  path: "/api/fs/copy",
  summary: "Copy a file; a file of that name is replaced",
  request: { body: body(CopyBody) },
  responses: { 200: json(Done, "Copied"), ...failures },
});

export function fileRoutes(deps: Pick<Deps, "storage">) {
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
      await copyFile(deps, c.req.valid("json"));
      return c.json(done, 200);
    });
}
