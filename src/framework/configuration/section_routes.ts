import type { z } from "@hono/zod-openapi";
import { declareTagged, IfMatch } from "#src/http/etag.ts";
import { LIMIT_KEY } from "#src/http/body.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, route } from "#src/http/router.ts";
import { MAX_VALUES } from "#src/ports/yaml.ts";
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
  409: json(Refused, "The change breaks references; each has its position"),
  422: json(Refused, "The content is invalid; every problem has its position"),
};
const written = {
  200: declareTagged(Outcome, "Changes; with `dry_run` those that would be made"),
  ...refusals,
  ...failing(412),
};

interface Place<P extends z.ZodObject, R extends z.ZodObject> {
  readonly at: string;
  readonly code: `settings:${string}`;
  readonly what: string;
  readonly id: string;
  readonly params: P;
  readonly revisionParams: R;
}

/** The same calls for sections and for language packs, which are texts of the dictionary. */
function routesUnder<P extends z.ZodObject, R extends z.ZodObject>(place: Place<P, R>) {
  return { ...contentRoutes(place), ...textRoutes(place), ...revisionRoutes(place) };
}

/** Declares the calls for the content as JSON. */
function contentRoutes<P extends z.ZodObject, R extends z.ZodObject>(
  { at, code, what, id, params }: Place<P, R>,
) {
  const own = { ...TAGS, "x-permission": code };
  return {
    parsed: route({
      ...own,
      method: "get",
      operationId: `get${id}`,
      path: `${at}/parsed`,
      summary: `Read ${what} as JSON`,
      description: "For administrators of the settings. Secrets are masked.",
      request: { params },
      responses: {
        200: declareTagged(Parsed, "Stored content with masked secrets"),
        ...failing(422),
      },
    }),
    saveParsed: route({
      ...own,
      method: "put",
      operationId: `replace${id}`,
      "x-audit": "configuration.changed",
      path: `${at}/parsed`,
      summary: `Replace ${what} with JSON`,
      description:
        "For administrators of the settings. Comments, order and quoting of the text are preserved.",
      request: {
        params,
        query: WriteQuery,
        headers: IfMatch,
        body: body(Parsed, { limit: LIMIT, values: MAX_VALUES }),
      },
      responses: written,
    }),
    schema: route({
      ...own,
      method: "get",
      operationId: `get${id}Schema`,
      path: `${at}/schema`,
      summary: `Read the JSON Schema of ${what}`,
      description: "For editors of the settings, which check and complete the text.",
      request: { params },
      responses: { 200: json(JsonSchema, "JSON Schema") },
    }),
  };
}

/** Declares the calls for the text in YAML. */
function textRoutes<P extends z.ZodObject, R extends z.ZodObject>(
  { at, what, id, params }: Place<P, R>,
) {
  const text = { ...TAGS, "x-permission": "settings:raw" as const };
  return {
    raw: route({
      ...text,
      method: "get",
      operationId: `get${id}Text`,
      path: `${at}/raw`,
      summary: `Read the text of ${what}`,
      description:
        "For administrators of the settings. The text is returned byte for byte; secrets are encrypted.",
      request: { params },
      responses: {
        200: {
          description: "Text in YAML",
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
      summary: `Replace the text of ${what}`,
      description: "For administrators of the settings. Secrets in plain text are encrypted.",
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
  };
}

function revisionRoutes<P extends z.ZodObject, R extends z.ZodObject>(
  { at, code, what, id, params, revisionParams }: Place<P, R>,
) {
  const own = { ...TAGS, "x-permission": code };
  return {
    revisions: route({
      ...own,
      method: "get",
      operationId: `list${id}Revisions`,
      path: `${at}/revisions`,
      summary: `List the revisions of ${what}`,
      description:
        "For administrators of the settings. Each change is a revision; the list starts with the newest.",
      request: { params, query: RevisionsQuery },
      responses: { 200: json(Revisions, "Page of revisions") },
    }),
    revision: route({
      ...own,
      method: "get",
      operationId: `get${id}Revision`,
      path: `${at}/revisions/{revision}`,
      summary: `Read a revision of ${what}`,
      description:
        "For administrators of the settings. The answer shows the changes of the revision.",
      request: { params: revisionParams },
      responses: { 200: json(RevisionDetail, "Revision with its changes") },
    }),
    restoreRevision: route({
      ...own,
      method: "post",
      operationId: `restore${id}Revision`,
      "x-audit": "configuration.changed",
      path: `${at}/revisions/{revision}/restore`,
      summary: `Restore a revision of ${what}`,
      description: "For administrators of the settings. The earlier text becomes a new revision.",
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
