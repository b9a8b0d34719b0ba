import type { z } from "@hono/zod-openapi";
import { IfMatch, tagged } from "#src/http/etag.ts";
import { LIMIT_KEY } from "#src/http/body.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, route } from "#src/http/router.ts";
import { MOST_VALUES } from "#src/ports/yaml.ts";
import {
  JsonSchema,
  Outcome,
  PackPath,
  PackRevisionPath,
  Parsed,
  Raw,
  Refused,
  RevisionDetail,
  Revisions,
  RevisionsQuery,
  SectionPath,
  SectionRevisionPath,
  WriteQuery,
} from "./schemas.ts";

const TAGS = { tags: ["Settings"] };
export const LIMIT = 5 * MB;

export const refusals = {
  409: json(Refused, "References would lead nowhere; each with its place"),
  422: json(Refused, "Cannot be used; every mistake with its place"),
};
const written = {
  200: tagged(Outcome, "What was changed, or would be"),
  ...refusals,
  ...failing(412),
};

/** The same calls for sections and for language packs, which are texts of the dictionary. */
function routesUnder<P extends z.ZodObject, R extends z.ZodObject>(
  { at, code, what, id, params, revisionParams }: {
    at: string;
    code: `settings:${string}`;
    what: string;
    id: string;
    params: P;
    revisionParams: R;
  },
) {
  const own = { ...TAGS, "x-permission": code };
  const text = { ...TAGS, "x-permission": "settings:raw" as const };
  return {
    parsed: route({
      ...own,
      method: "get",
      operationId: `get${id}`,
      path: `${at}/parsed`,
      summary: `${what} as JSON; secrets are masked`,
      request: { params },
      responses: { 200: tagged(Parsed, "As it is stored"), ...failing(422) },
    }),
    saveParsed: route({
      ...own,
      method: "put",
      operationId: `replace${id}`,
      "x-audit": "configuration.changed",
      path: `${at}/parsed`,
      summary: `Replace ${what} by this value; comments, order and quoting of its text stay`,
      request: {
        params,
        query: WriteQuery,
        headers: IfMatch,
        body: body(Parsed, { limit: LIMIT, values: MOST_VALUES }),
      },
      responses: written,
    }),
    raw: route({
      ...text,
      method: "get",
      operationId: `get${id}Text`,
      path: `${at}/raw`,
      summary: `The text of ${what}, byte for byte; secrets are sealed in it`,
      request: { params },
      responses: {
        200: {
          description: "YAML",
          content: { "text/yaml": { schema: { type: "string" as const } } },
          headers: {
            ETag: {
              description: "Of this text, for `If-Match`",
              schema: { type: "string" as const },
            },
          },
        },
      },
    }),
    saveRaw: route({
      ...text,
      method: "post",
      operationId: `replace${id}Text`,
      "x-audit": "configuration.changed",
      path: `${at}/raw`,
      summary: `Replace the text of ${what}; secrets in the clear are sealed`,
      request: {
        params,
        query: WriteQuery,
        headers: IfMatch,
        body: {
          description: "YAML, as it is or as `text`",
          content: {
            "text/yaml": { schema: { type: "string" as const } },
            "application/json": { schema: Raw },
          },
          [LIMIT_KEY]: LIMIT,
        },
      },
      responses: written,
    }),
    schema: route({
      ...own,
      method: "get",
      operationId: `get${id}Schema`,
      path: `${at}/schema`,
      summary: `What ${what} may hold, as JSON Schema, for editors`,
      request: { params },
      responses: { 200: json(JsonSchema, "JSON Schema") },
    }),
    revisions: route({
      ...own,
      method: "get",
      operationId: `list${id}Revisions`,
      path: `${at}/revisions`,
      summary: `Who changed ${what} when, newest first`,
      request: { params, query: RevisionsQuery },
      responses: { 200: json(Revisions, "The revisions") },
    }),
    revision: route({
      ...own,
      method: "get",
      operationId: `get${id}Revision`,
      path: `${at}/revisions/{revision}`,
      summary: `What one revision changed of ${what}`,
      request: { params: revisionParams },
      responses: { 200: json(RevisionDetail, "The revision and its diff") },
    }),
    restoreRevision: route({
      ...own,
      method: "post",
      operationId: `restore${id}Revision`,
      "x-audit": "configuration.changed",
      path: `${at}/revisions/{revision}/restore`,
      summary: `Give ${what} the text it had then, as a new revision`,
      request: { params: revisionParams, query: WriteQuery, headers: IfMatch },
      responses: written,
    }),
  };
}

export const bySection = routesUnder({
  at: "/admin/config/{section}",
  code: "settings:{section}",
  what: "a section of the settings",
  id: "Settings",
  params: SectionPath,
  revisionParams: SectionRevisionPath,
});

export const byPack = routesUnder({
  at: "/admin/i18n/{pack}",
  code: "settings:dictionary",
  what: "a language pack",
  id: "LanguagePack",
  params: PackPath,
  revisionParams: PackRevisionPath,
});
