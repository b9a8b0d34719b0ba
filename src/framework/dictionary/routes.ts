import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import type { QueryState, ReadDeps } from "#src/framework/connectors/mod.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { checkPermission } from "#src/http/guard.ts";
import { createReader } from "#src/http/reader.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { readLookup } from "./read_lookup.ts";
import { missingKeys, showPack, showRevisions } from "./packs.ts";
import {
  Dictionary,
  LanguagePack,
  LookupPage,
  LookupPath,
  LookupQuery,
  MissingTexts,
  PackPath,
  PackQuery,
  PackRevisions,
} from "./schemas.ts";
import { showDictionary } from "./show_dictionary.ts";

const ANYBODY = { "x-permission": "authenticated" as const, tags: ["Dictionary"] };

const dictionary = route({
  ...ANYBODY,
  method: "get",
  operationId: "getDictionary",
  path: "/api/dictionary",
  summary: "Read the dictionary",
  description:
    "For consoles. The dictionary contains labels and formats of columns, lookups and shared texts in one language.",
  responses: fresh(Dictionary, "Dictionary without lookups whose query the caller may not run"),
});
const lookup = route({
  ...ANYBODY,
  method: "get",
  operationId: "getLookup",
  path: "/api/dictionary/lookups/{name}",
  summary: "List the values of a lookup",
  description:
    "For forms. `term` searches values and labels; `value` returns the labels of known values.",
  request: { params: LookupPath, query: LookupQuery },
  responses: {
    200: json(LookupPage, "Page of values; those no longer offered have `active: false`"),
    ...failing(422, 429, 503, 504),
  },
});
const revisions = route({
  ...ANYBODY,
  method: "get",
  operationId: "listLanguageRevisions",
  path: "/api/i18n/_revisions",
  summary: "List the revisions of the language packs",
  description: "For consoles, which use the revision as a cache key.",
  responses: { 200: json(PackRevisions, "Revisions by language") },
});
const pack = route({
  ...ANYBODY,
  method: "get",
  operationId: "getLanguage",
  path: "/api/i18n/{lang}",
  summary: "Read the texts of a language",
  description:
    "For consoles. Missing texts come from the fallback language; `apps` contains the texts of single apps.",
  request: { params: PackPath, query: PackQuery },
  responses: fresh(
    z.union([LanguagePack, MissingTexts]),
    "Texts of the language; with `missing=true` the missing keys, which requires `settings:dictionary`",
  ),
});

/** Answered from the snapshot in force: but for lookups that read a query, no call of these touches a database. */
export function dictionaryRoutes(
  deps: ReadDeps & Pick<Deps, "configuration">,
  shared: QueryState,
) {
  const { configuration } = deps;
  return newRouter("framework")
    .openapi(
      dictionary,
      (c) => sendFresh(c, showDictionary(configuration.current(), createReader(c))),
    )
    .openapi(lookup, async (c) => {
      const { term, value: values, limit, offset, ...given } = c.req.valid("query");
      const wanted = { ...c.req.valid("param"), term, values, limit, offset, given };
      const { actor, requestId } = c.var;
      const { items, ...page } = await readLookup(configuration.current(), wanted, {
        reader: createReader(c),
        query: {
          deps: deps,
          shared,
          caller: { actor, errorId: requestId, signal: c.req.raw.signal },
        },
      });
      return c.json({ ...page, items: [...items] }, 200);
    })
    .openapi(revisions, (c) => c.json(showRevisions(configuration.current()), 200))
    .openapi(pack, async (c) => {
      const { lang } = c.req.valid("param");
      const snapshot = configuration.current();
      const shown = showPack(snapshot, lang);
      if (!shown) throw notFound("Language", lang);
      if (c.req.valid("query").missing === "false") return sendFresh(c, shown);
      await checkPermission(c, "settings:dictionary");
      return c.json({ language: lang, missing: missingKeys(snapshot, lang) }, 200);
    });
}
