import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>
  >;
}

/** Query parameters of a page, and the fields next to its rows. */
const SHAPES: Readonly<Record<string, readonly [asked: string, told: string]>> = {
  "by page or place": ["after page pageSize", "next total totalIsCapped"],
  "by limit and offset": ["limit offset", "limit offset total"],
};
const WORDS = /^(after|before|page|pageSize|limit|offset)$/;
const TOLD = /^(limit|offset|next|total|totalIsCapped|has_more|hasMore|count)$/;

/** Exceptions, each with its reason. */
const OTHERS: Readonly<Record<string, string>> = {
  "/api/runs/{runId}":
    "invoices of one run, in the order of its file, inside what is told of the run",
  "/api/invoices/{id}/errors":
    "findings of one document, at most 501, in the order they were found",
  "/admin/config/{section}/revisions": "read backwards from a number, since new ones come in front",
  "/admin/i18n/{pack}/revisions": "the same",
  "/admin/jobs/runs/{run_id}/logs": "lines in their order, which are followed while they come",
  "/ai/conversations/{id}":
    "messages of one conversation, whose number is among what is told of it",
  "/api/dictionary/lookups/{name}":
    "what a field offers while somebody types; a total would be a second query",
  "/api/logs": "the database API has its `count` and `hasMore`; the total is capped",
  "/api/db/query": "rows of a pool, as the database API has them",
};

Deno.test("a list has one of two shapes, or a reason for another", async () => {
  const document = JSON.parse(await readFile("tests/openapi.json", "utf8"));
  const meant = <T extends { $ref?: string }>(given: T): T =>
    given.$ref === undefined
      ? given
      : given.$ref.split("/").slice(1).reduce((at, key) => at[key], document);
  const known = Object.values(SHAPES).map((it) => it.join(" | "));
  const seen: string[] = [];
  const strange: string[] = [];
  for (const [path, { get }] of Object.entries<{ get?: Operation }>(document.paths)) {
    const asked = (get?.parameters ?? []).map((it) => meant(it).name ?? "")
      .filter((it) => WORDS.test(it)).sort().join(" ");
    if (!get || !asked || path.startsWith("/api/sql/")) continue;
    const answer = get.responses["200"]?.content?.["application/json"]?.schema ?? {};
    const told = Object.keys(meant(answer).properties ?? {}).filter((it) => TOLD.test(it)).sort();
    const shape = `${asked} | ${told.join(" ")}`;
    if (known.includes(shape)) seen.push(shape);
    else strange.push(path);
  }
  assertEquals(strange.sort(), Object.keys(OTHERS).sort());
  for (const it of known) assert(seen.filter((one) => one === it).length > 5, it);
});
