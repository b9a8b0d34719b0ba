import { assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { invoices, submissions } from "#drizzle/schema/mod.ts";
import { FRENCH } from "#src/kernel/i18n/french.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

Deno.test("the language is that of X-Service-Lang, then the user's own, then Accept-Language, then the family's default", async () => {
  await using it = await startAccess();
  const french = "Le modèle nowhere n'existe pas";
  const english = "Template nowhere does not exist";
  const token = await getToken(it, "reader");
  const ask = async (headers: Record<string, string>) =>
    (await it.call("GET", "/api/templates/nowhere", { token, headers })).body.error;
  const choose = (language: "fr" | "en" | null) =>
    must(
      it.call("PUT", "/admin/users/reader", { token: it.admin, body: { language } }),
      200,
    );

  assertEquals(await ask({ "accept-language": "" }), french);
  assertEquals(await ask({ "accept-language": "de, en;q=0.5, fr;q=0.4" }), english);
  assertEquals(await ask({ "accept-language": "en;q=0, de, *" }), french);
  assertEquals(await ask({ "accept-language": "en-GB,en;q=0.9" }), english);
  await choose("fr");
  assertEquals(await ask({ "accept-language": "en" }), french);
  assertEquals(await ask({ "accept-language": "en", "x-service-lang": "en" }), english);
  assertEquals(await ask({ "accept-language": "en", "x-service-lang": "de" }), french);
  await choose(null);
  assertEquals(await ask({ "accept-language": "en" }), english);
});

Deno.test("without a known language framework and database answer in English, invoicing in the installation's language", async () => {
  const silent = { "accept-language": "" };
  const unknown = { "accept-language": "de", "x-service-lang": "de" };
  await using product = await startProduct();
  for (const headers of [silent, unknown]) {
    const ask = async (path: string) => (await product.get(path, headers)).body;
    assertEquals((await ask("/admin/users/nowhere")).detail, "User nowhere does not exist");
    assertEquals(
      (await ask("/api/db/check?target_pool=nowhere")).message,
      "There is no pool named nowhere",
    );
    assertEquals((await ask("/api/dictionary")).language, "en");
    assertEquals((await ask("/api/templates/nowhere")).error, "Le modèle nowhere n'existe pas");
  }
  await using english = await startProduct({ SERVICE_LANG: "en" });
  const { body } = await english.get("/api/templates/nowhere", silent);
  assertEquals(body.error, "Template nowhere does not exist");
});

async function getToken(it: Awaited<ReturnType<typeof startAccess>>, username: string) {
  return (await it.userWith(username, ["templates:read"])).token;
}

Deno.test("errors found before any handler are in the language too", async (t) => {
  await using product = await startProduct();
  const json = { "content-type": "application/json" };
  const cases: [
    what: string,
    method: string,
    path: string,
    body: string,
    en: string,
    fr: string,
  ][] = [
    [
      "a schema, by words of the library",
      "POST",
      "/api/run",
      '{"template":"T","file":7,"mode":"X","b":1}',
      'file: a text is expected, not a number; mode: one of "SINGLE", "BURST", "UBL", "BOTH", "UBL_VALIDATE" is expected, not "X"; b: there is no such key',
      'file : un texte est attendu, et non un nombre ; mode : une valeur parmi "SINGLE", "BURST", "UBL", "BOTH", "UBL_VALIDATE" est attendue, et non "X" ; b : il n\'y a pas de clé de ce nom',
    ],
    [
      "a key that is not there, where it stands",
      "POST",
      "/api/run",
      '{"template":"T","file":"x","mode":"UBL","tempalte":"T"}',
      "tempalte: there is no such key; did you mean template?",
      "tempalte : il n'y a pas de clé de ce nom ; vouliez-vous dire template ?",
    ],
    [
      "a schema, by words of ours",
      "POST",
      "/api/check-directory",
      "{}",
      "json: exactly one of siren, siret and identifier is expected",
      "json : un seul de siren, siret et identifier est attendu",
    ],
    [
      "a schema, by words of ours with values",
      "GET",
      "/api/invoices/nothing/lines",
      "",
      'id: expected <doc>-<dct>-<kco>, got "nothing"',
      'id : <doc>-<dct>-<kco> est attendu, et non "nothing"',
    ],
    [
      "a number of a query",
      "GET",
      "/api/invoices?page=0x10",
      "",
      "page: decimal digits are expected",
      "page : des chiffres sont attendus",
    ],
    [
      "a bound of a query",
      "GET",
      "/api/invoices?pageSize=501",
      "",
      "pageSize: a number of at most 500 is expected",
      "pageSize : un nombre d'au plus 500 est attendu",
    ],
    [
      "a number of a path",
      "POST",
      "/api/tasks/abc/replay",
      "",
      'id: a number is expected, not "abc"',
      'id : un nombre est attendu, et non "abc"',
    ],
    [
      "a number of a path of the settings",
      "GET",
      "/admin/config/pools/revisions/x",
      "",
      'revision: a number is expected, not "x"',
      'revision : un nombre est attendu, et non "x"',
    ],
    [
      "an unknown parameter",
      "GET",
      "/api/invoices?kko=1",
      "",
      "kko: there is no such parameter; did you mean kco?",
      "kko : ce paramètre n'existe pas ; vouliez-vous dire kco ?",
    ],
    [
      "what is no JSON",
      "POST",
      "/api/run",
      "{",
      "Malformed JSON in request body",
      "Le corps de la requête n'est pas du JSON valable",
    ],
    [
      "text that cannot be stored",
      "POST",
      "/api/run",
      '{"file":"\\u0000"}',
      "file: holds the character U+0000",
      "file : contient le caractère U+0000",
    ],
    [
      "another type of body",
      "POST",
      "/api/fs/copy?x",
      "",
      "x: there is no such parameter; this call takes none",
      "x : ce paramètre n'existe pas ; cet appel n'en prend aucun",
    ],
    [
      "an unknown path",
      "GET",
      "/api/nowhere",
      "",
      "There is no GET /api/nowhere",
      "Il n'y a rien à GET /api/nowhere",
    ],
    [
      "a wrong method",
      "DELETE",
      "/api/run",
      "",
      "/api/run knows POST, not DELETE",
      "/api/run connaît POST, pas DELETE",
    ],
  ];
  for (const [what, method, path, body, en, fr] of cases) {
    await t.step(what, async () => {
      const describe = async (language: string) => {
        const headers = { ...body && json, "accept-language": language };
        const answer = await product.request(path, { method, headers, ...body && { body } });
        const { error, detail } = await answer.json();
        return error ?? detail;
      };
      assertEquals([await describe("en"), await describe("fr")], [en, fr]);
    });
  }
});

Deno.test("refusals of a database family's schema are in the language", async () => {
  await using it = await startAccess();
  const describe = async (language: string) => {
    const headers = { "accept-language": language };
    const path = "/api/auth/token?pool=a%20b";
    const { body } = await it.call("POST", path, { body: { user: "a", password: "b" }, headers });
    return body.detail[0].msg;
  };
  assertEquals([await describe("en"), await describe("fr")], [
    "expected the alias of a pool",
    "l'alias d'une base est attendu",
  ]);
});

Deno.test("a run's logs, items and error are shown to each reader in their language", async () => {
  await using product = await startProduct();
  const erp = readFileSync(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
  const file = await product.write("single.xml", erp);
  const request = { template: "R42565", file, mode: "SINGLE" };
  await product.post("/api/run", request);
  await product.write("single.xml", erp.replaceAll(/(<NameAlpha_ID18>)[^<]+/g, "$1Corrected"));
  // A file replaces an invoice that the PA rejected only with `replaceMode`.
  await product.deps.db.update(submissions).set({ state: "rejected" });
  await product.deps.db.update(invoices).set({ status: "9904" });
  const { body: { runId } } = await product.post("/api/run", request);
  const report = async (language: string) => {
    const { body } = await product.get(`/api/runs/${runId}`, { "x-service-lang": language });
    const { runs } = (await product.get("/api/runs", { "x-service-lang": language })).body;
    return [
      body.logs[0].message,
      body.logs.at(-1).message,
      body.invoices[0].message,
      body.error,
      runs[0].error,
    ].map((it) => it.replaceAll(relative(product.dataDir, file), "FILE"));
  };
  const differs = "This invoice is recorded (Send failed) with other content; it is not " +
    "replaced. Differences: seller name (BT-27) Société Industrielle du Rhône SAS → Corrected; " +
    "buyer name (BT-44) Ateliers Morvan → Corrected. To replace it, import the file again " +
    "with “Replace invoices not sent yet”";
  const differe = "Cette facture est enregistrée (Échec de l'envoi) avec un autre contenu ; " +
    "elle n'est pas remplacée. Différences : nom du vendeur (BT-27) Société Industrielle du Rhône " +
    "SAS → Corrected ; nom de l'acheteur (BT-44) Ateliers Morvan → Corrected. Pour la remplacer, " +
    "importez de nouveau le fichier avec « Remplacer les factures pas encore envoyées »";
  assertEquals(await report("en"), [
    "Invoices found in FILE: 1",
    `100000-RI-00001: ${differs}`,
    differs,
    "Of 1 invoice 1 not replaced, other content: 100000-RI-00001",
    "Of 1 invoice 1 not replaced, other content: 100000-RI-00001",
  ]);
  assertEquals(await report("fr"), [
    "Factures trouvées dans FILE : 1",
    `100000-RI-00001 : ${differe}`,
    differe,
    "Sur 1 facture : 1 non remplacée, autre contenu : 100000-RI-00001",
    "Sur 1 facture : 1 non remplacée, autre contenu : 100000-RI-00001",
  ]);
});

Deno.test("a finding's message is in the language everywhere, and both languages stay in it", async () => {
  await using product = await startProduct();
  const erp = readFileSync(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
  const file = await product.write(
    "bad.xml",
    erp.replace("7 211,99</AmountGross", "7 000,00</AmountGross"),
  );
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  type Told = Record<"rule" | "message" | "messageFr" | "messageEn", string>;
  const paths = {
    errors: ["/api/integration-errors", "/api/invoices/100000-RI-00001/errors"],
    rules: ["/api/rules/br-fr-flux2-ubl"],
  };
  for (const [list, [...all]] of Object.entries(paths)) {
    for (const path of all) {
      const report = async (language: string): Promise<Told[]> =>
        (await product.get(path, { "x-service-lang": language })).body[list];
      const [french, english] = [await report("fr"), await report("en")];
      assertEquals(french.length > 0, true, path);
      assertEquals(french.map((it) => it.message), french.map((it) => it.messageFr), path);
      assertEquals(english.map((it) => it.message), english.map((it) => it.messageEn), path);
      assertEquals(english.map((it) => it.messageFr), french.map((it) => it.messageFr), path);
      assertEquals(french.some((it) => it.messageFr !== it.messageEn), true, path);
    }
  }
  const sort = async (language: string): Promise<string[]> => {
    const path = "/api/integration-errors?sortBy=message&sortDir=asc";
    const { body } = await product.get(path, { "x-service-lang": language });
    return body.errors.map((it: Told) => it.message);
  };
  for (const language of ["fr", "en"]) {
    const told = await sort(language);
    assertEquals(told, told.toSorted(), language);
  }
});

/** `words` marks the texts of a schema that are translated; a plain text would stay English. */
Deno.test("no schema has words of its own that are not translated", () => {
  const plain = globSync(["src/{framework,gateway,platform}/**/*.ts", "src/http/*.ts"], {
    cwd: ROOT,
  }).flatMap(
    (file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const found = text.match(/\.(regex|refine|min|max|length)\([^\n]*, "[a-z][^"]* [^"]*"\)/g) ??
        [];
      return found.map((it) => `${file}: ${it}`);
    },
  );
  assertEquals(plain, []);
});

Deno.test("a sentence keeps its values in every language, sentences inside sentences too", () => {
  const inner = say`The worker stops`;
  const sentence = say`Flow ${"F-1"} stays in quarantine: ${inner}`;
  assertEquals(translate(sentence), "Flow F-1 stays in quarantine: The worker stops");
  assertEquals(
    translate(sentence, "fr"),
    "Le flux F-1 reste en quarantaine : Le processus de travail s'arrête",
  );
});

Deno.test("every sentence of the sources has a French twin with the same values, and none is unused", () => {
  const keys = new Set(
    globSync(["src/**/*.ts", "workers/**/*.ts"], { cwd: ROOT }).flatMap((file) =>
      getKeys(readFileSync(join(ROOT, file), "utf8"))
    ),
  );
  assertEquals([...keys].filter((key) => hasWords(key) && FRENCH[key] === undefined).sort(), []);
  assertEquals(Object.keys(FRENCH).filter((key) => !keys.has(key)), []);
  const values = (text: string) => (text.match(/\{\d+\}/g) ?? []).toSorted().join();
  const lost = Object.entries(FRENCH).filter(([key, text]) => values(key) !== values(text));
  assertEquals(lost, []);
});

/** Returns true if the key contains words besides values, brackets and commas: French puts a space before a colon. */
function hasWords(key: string): boolean {
  return /[\p{L}:;?!]/u.test(key.replaceAll(/\{\d+\}/g, ""));
}

/** Returns the keys of the tagged templates in a source, as `say` creates them. */
function getKeys(source: string): string[] {
  const text = source.replace(/\/\*\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(/\bsay`/g)].map(({ index }) => keyAt(text, index + "say`".length));
}

function keyAt(text: string, start: number): string {
  let key = "";
  let values = 0;
  for (let at = start; text[at] !== "`"; at++) {
    if (text.startsWith("${", at)) {
      at = endOfValue(text, at + 2);
      key += `{${++values}}`;
    } else if (text[at] === "\\") key += text[++at];
    else key += text[at];
  }
  return key;
}

function endOfValue(text: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; depth > 0; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
  }
  return at - 1;
}
