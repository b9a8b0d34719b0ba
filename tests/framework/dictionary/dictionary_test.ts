import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dictionaryRoutes } from "#src/framework/dictionary/routes.ts";
import { openAccess } from "#src/http/guard.ts";
import { httpTier } from "#src/http/tier.ts";
import { silentLog } from "#tests/support/log.ts";
import type { Configuration } from "#src/ports/configuration.ts";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, DICTIONARY, POOLS, startSettings } from "#tests/support/settings.ts";

const FR = `version: 1
language: fr
name: Français
fallback: en
messages:
  common:
    save: Enregistrer
    rows: "{n, plural, one {# ligne} other {# lignes}}"
`;
const EN = `version: 1
language: en
messages:
  common.save: Save
  common.close: Close
`;
const SALES_FR = `version: 1
language: fr
messages:
  common: { save: Valider }
`;

/** Returns settings without databases: data that come from no query are answered from the snapshot. */
function withoutDatabases(configuration: Configuration) {
  const deps = { configuration } as Parameters<typeof dictionaryRoutes>[0];
  return dictionaryRoutes(deps, undefined as unknown as Parameters<typeof dictionaryRoutes>[1]);
}

async function started() {
  const settings = await startSettings({ routes: (deps) => withoutDatabases(deps.configuration) });
  await must(settings.write("pools", POOLS), 200);
  await must(settings.write("connectors", CONNECTORS, { query: "?force=true" }), 200);
  await must(settings.write("dictionary", DICTIONARY), 200);
  return settings;
}

Deno.test("the dictionary is in the reader's language, and names columns without their own label", async () => {
  await using settings = await started();
  const french = await settings.get("/api/dictionary", undefined, { "x-service-lang": "fr" });
  assertEquals(french.body.language, "fr");
  assertEquals(french.body.columns.amount, {
    label: "Montant",
    short: "Montant",
    type: "decimal",
    align: "end",
    width: "auto",
  });
  assertEquals(french.body.columns.status.lookup, "order_status");
  assertEquals(french.body.lookups.order_status.values, [
    { value: "open", label: "Ouvert", active: true },
    { value: "closed", label: "Clos", active: false },
  ]);
  assertEquals(french.body.labels, { "orders.title": "Commandes" });
  const english = await settings.get("/api/dictionary", undefined, { "x-service-lang": "en-GB" });
  assertEquals([english.body.language, english.body.columns.status.label], ["en", "Status"]);
  assert(english.body.revision !== french.body.revision);
  const third = DICTIONARY.replace("[en, fr]", "[en, fr, de]")
    .replace("{ en: Amount, fr: Montant }", "{ en: Amount, de: Betrag }")
    .replace("  status: {", "  order_date: { type: date }\n  status: {");
  await must(settings.write("dictionary", third), 200);
  const german = await settings.get("/api/dictionary", undefined, { "x-service-lang": "de" });
  const { amount, status, order_date: date } = german.body.columns;
  assertEquals([german.body.language, amount.label, status.label, date.label], [
    "de",
    "Betrag",
    "Status",
    "Order date",
  ]);
  const unknown = await settings.get("/api/dictionary", undefined, { "x-service-lang": "xx" });
  assertEquals(unknown.body.language, "en");
});

Deno.test("a client with this version of the dictionary gets 304 until it changes", async () => {
  await using settings = await started();
  const first = await settings.get("/api/dictionary");
  const tag = first.headers.get("etag") ?? "";
  assertEquals(tag, `"${first.body.revision}"`);
  const again = await settings.get("/api/dictionary", undefined, {
    "if-none-match": `"other", W/${tag}`,
  });
  assertEquals([again.status, again.body, again.headers.get("etag")], [304, "", tag]);
  await must(settings.write("dictionary", DICTIONARY.replace("Montant", "Total")), 200);
  const french = { "if-none-match": tag, "x-service-lang": "fr" };
  assertEquals((await settings.get("/api/dictionary", undefined, french)).status, 200);
});

Deno.test("a lookup with a query is available to users who may run the query", async () => {
  await using settings = await started();
  const { token } = await settings.userWith("berta", ["settings:read"]);
  assertEquals(Object.keys((await settings.get("/api/dictionary")).body.lookups), [
    "order_status",
    "customers",
  ]);
  assertEquals(Object.keys((await settings.get("/api/dictionary", token)).body.lookups), [
    "order_status",
  ]);
  assertEquals((await settings.get("/api/dictionary/lookups/customers", token)).status, 404);
  assertEquals((await settings.get("/api/dictionary/lookups/nothing", token)).status, 404);
});

Deno.test("values of a lookup are found by a part of label or value, page by page", async () => {
  await using settings = await started();
  const get = async (query: string) =>
    (await settings.get(`/api/dictionary/lookups/order_status${query}`, undefined, {
      "x-service-lang": "fr",
    })).body;
  assertEquals((await get("")).items.length, 2);
  assertEquals((await get("?term=OUV")).items, [{ value: "open", label: "Ouvert", active: true }]);
  assertEquals((await get("?term=close")).items[0].label, "Clos");
  const page = await get("?limit=1");
  assertEquals([page.items.length, page.has_more], [1, true]);
  assertEquals((await get("?limit=1&offset=1")).has_more, false);
  const bad = await settings.get("/api/dictionary/lookups/order_status?limit=-1");
  assertEquals(bad.status, 400);
});

Deno.test("a language pack contains its fallbacks and the overrides of an app", async () => {
  await using settings = await started();
  await must(settings.write("i18n/en", EN), 200);
  await must(settings.write("i18n/fr", FR), 200);
  await must(settings.write("i18n/sales.fr", SALES_FR), 200);
  const { body } = await settings.get("/api/i18n/fr");
  assertEquals(body.messages, {
    common: {
      save: "Enregistrer",
      rows: "{n, plural, one {# ligne} other {# lignes}}",
      close: "Close",
    },
  });
  assertEquals(body.apps, { sales: { common: { save: "Valider" } } });
  assertEquals([body.name, body.direction], ["Français", "ltr"]);
  const revisions = await settings.get("/api/i18n/_revisions");
  assertEquals(revisions.body.fr.revision, body.revision);
  assertEquals(Object.keys(revisions.body.fr.apps), ["sales"]);
  assertEquals((await settings.get("/api/i18n/it")).status, 404);
  const { token } = await settings.userWith("carla", ["settings:read"]);
  assertEquals((await settings.get("/api/i18n/fr?missing=true", token)).status, 403);
  const missing = await settings.get("/api/i18n/fr?missing=true");
  assertEquals(missing.body, { language: "fr", missing: ["common.close"] });
});

Deno.test("packs of both languages of the product exist on a fresh product", async () => {
  await using settings = await started();
  const revisions = await settings.get("/api/i18n/_revisions");
  assertEquals(Object.keys(revisions.body), ["en", "fr"]);
  for (const [language, name] of [["en", "English"], ["fr", "Français"]] as const) {
    const { status, body } = await settings.get(`/api/i18n/${language}`);
    assertEquals([status, body.language, body.name], [200, language, name]);
    assertEquals(revisions.body[language].revision, body.revision);
  }
});

Deno.test("a pack, and its 304, need no database", async () => {
  await using settings = await started();
  await must(settings.write("i18n/en", EN), 200);
  const { configuration } = settings;
  const tier = { log: silentLog, version: "0", trustedProxies: 0, publicUrl: undefined };
  const app = httpTier(() => [withoutDatabases(configuration)], {
    ...tier,
    access: openAccess,
    once: undefined,
  });
  const from = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };
  const first = await app.request("http://localhost/api/i18n/en", {}, from);
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  const again = await app.request("http://localhost/api/i18n/en", { headers }, from);
  assertEquals([first.status, again.status, await again.text()], [200, 304, ""]);
});

Deno.test("an invalid ICU MessageFormat message is refused with its position and cause", async () => {
  await using settings = await started();
  const open = await settings.write("i18n/fr", FR.replace("{# lignes}}", "{# lignes}"));
  assertEquals(open.status, 422);
  assertEquals([open.body.errors[0].line, open.body.errors[0].path], [8, "messages.common.rows"]);
  const quoted = await settings.write("i18n/fr", FR.replace("Enregistrer", "De l'{nom}"));
  assertStringIncludes(quoted.body.errors[0].message, "write l''{");
  const label = DICTIONARY.replace("fr: Commandes", "fr: '{n'");
  assertEquals((await settings.write("dictionary", label)).status, 422);
  const blocked = await settings.write("i18n/en", EN.replace("common.close", "common.save.now"));
  assertStringIncludes(blocked.body.errors[0].message, "common.save is a message and the group");
});

Deno.test("I14 a language is looked up, never used as a path; an unknown one in the header falls back", async () => {
  await using it = await started();
  for (const name of ["..%2F..%2Fetc%2Fpasswd", "fr;DROP", "__proto__", "constructor"]) {
    assertEquals((await it.get(`/api/i18n/${name}`)).status, 404, name);
    const language = { "x-service-lang": decodeURIComponent(name) };
    const { status, body } = await it.get("/api/dictionary", it.admin, language);
    assertEquals([status, ["en", "fr"].includes(body.language)], [200, true], name);
  }
  const long = "x".repeat(8_000);
  assertEquals((await it.get(`/api/i18n/${long}`)).status, 400);
  assertEquals((await it.get("/api/dictionary", it.admin, { "x-service-lang": long })).status, 200);
});
