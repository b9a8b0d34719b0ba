import { assert, assertEquals, assertMatch } from "@std/assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startProduct } from "#tests/support/product.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

Deno.test("the console over HTTP", async (t) => {
  await using product = await startProduct();
  const visit = (path: string) => product.get(path, HTML);
  const { body, headers } = await visit("/");
  const [, script = ""] = /<script type="module" src="\/console\/([^"]+)"/.exec(body) ?? [];

  await t.step("its page runs only the scripts it names", async () => {
    const policy = headers.get("content-security-policy") ?? "";
    const [, nonce = ""] = /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy) ?? [];
    assert(nonce.length >= 20, policy);
    assertEquals(/unsafe|https?:|\*/.test(policy), false);
    assertEquals(body.match(/<script/g).length, body.match(/<script[^>]* nonce="/g).length);
    assert(body.includes(`nonce="${nonce}"`));
    const other = await visit("/");
    assertEquals(other.headers.get("content-security-policy")?.includes(nonce), false);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(/\b(src|href)="(?!\/console\/|data:|\/redoc)/.test(body), false);
  });

  await t.step("its files never change under their names, and come packed", async () => {
    const load = (encoding: string) =>
      product.request(`/console/${script}`, { headers: { "accept-encoding": encoding } });
    const plain = new Uint8Array(await (await load("identity")).arrayBuffer());
    const br = await load("gzip, br");
    assertEquals(br.headers.get("content-encoding"), "br");
    assertEquals(br.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assertMatch(br.headers.get("content-type") ?? "", /^text\/javascript/);
    assertEquals(new Uint8Array(brotliDecompressSync(await br.arrayBuffer())), plain);
    const gzip = await load("gzip;q=0.5, br;q=0");
    assertEquals(gzip.headers.get("content-encoding"), "gzip");
    assertEquals(new Uint8Array(gunzipSync(await gzip.arrayBuffer())), plain);
  });

  await t.step("only its own files are given out", async () => {
    for (const name of ["entry.json", "main.tsx", `${script}.br`, "..%2f..%2fpackage.json"]) {
      const { status } = await visit(`/console/${name}`);
      assert([400, 404, 422].includes(status), `${name}: ${status}`);
    }
  });

  await t.step("addresses within it lead to the same page, those of the API never", async () => {
    const inside = [
      "/?from=a-mail",
      "/invoices?x=1",
      "/invoices/100000-RI-00001",
      "/nobody/has/it",
    ];
    for (const path of inside) {
      const answer = await visit(path);
      assertEquals([answer.status, answer.headers.get("content-type")], [
        200,
        "text/html; charset=UTF-8",
      ], path);
    }
    for (const path of ["/api/nothing", "/admin/nothing", "/auth/nothing", "/ai/nothing"]) {
      const answer = await visit(path);
      assertEquals(answer.status, 404, path);
      assertMatch(answer.headers.get("content-type") ?? "", /json/);
    }
    assertEquals((await product.get("/invoices")).status, 404, "a program gets the truth");
    assertEquals((await product.send("POST", "/invoices", {}, HTML)).status, 404);
  });

  await t.step("it receives in the reader's language whether sign-in is required", async () => {
    const french = await product.get("/", { ...HTML, "accept-language": "fr" });
    const [, facts = ""] = /id="facts"[^>]*>([^<]+)</.exec(french.body) ?? [];
    assertEquals(JSON.parse(facts), {
      auth: false,
      oidc: false,
      sending: true,
      model: false,
      unused: false,
      adminless: false,
      version: "0.1.0",
      language: "fr",
    });
    assertMatch(french.body, /<html lang="fr">/);
  });

  await t.step(
    "the first load has two files of at most 240 kB together, and shows an outline at once",
    async () => {
      const names = new Set(
        [...body.matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, it]) => it),
      );
      let bytes = 0;
      for (const name of names) {
        const answer = await product.request(`/console/${name}`, {
          headers: { "accept-encoding": "gzip" },
        });
        bytes += (await answer.arrayBuffer()).byteLength;
      }
      assert(bytes < 240 * 1024, `${bytes} bytes in ${[...names].join(", ")}`);
      assertEquals(names.size, 2, "one script and one style sheet");
    },
  );
});
