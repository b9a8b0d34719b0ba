import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { transformPiece } from "#src/gateway/documents/read_document.ts";
import { listUsingTemplates } from "#src/platform/files/remove_stylesheet.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { startProduct } from "#tests/support/product.ts";

Deno.test("a stylesheet is deleted unless a template needs it, directly or through an import", async () => {
  await using product = await startProduct();
  const remove = (path: string) =>
    product.send("DELETE", `/api/xsl?path=${encodeURIComponent(path)}`);
  const files = {
    "own/mine.xsl": sheet('<é:import\n href="parts/vat%20sums.xsl"/>'),
    "own/parts/vat sums.xsl": sheet(""),
    "own/free.xsl": sheet(""),
  };
  for (const [path, content] of Object.entries(files)) {
    const written = await product.send("PUT", "/api/fs/write", { path, content });
    assertEquals(written.status, 200, JSON.stringify(written.body));
  }
  const copied = await product.post("/api/templates/R42565/copy/MINE");
  assert(copied.status < 300, JSON.stringify(copied.body));
  const { body } = await product.get("/api/templates/MINE");
  const changed = await product.send("PUT", "/api/templates/MINE", {
    ...body,
    properties: { ...body.properties, transform: "own/mine.xsl" },
  });
  assertEquals(changed.status, 200, JSON.stringify([body, changed.body]));
  const broken = { path: "own/mine.xsl", content: sheet("<é:nothing/>") };
  assertEquals((await product.send("PUT", "/api/fs/write", broken)).status, 200);
  const listed = (await product.get("/api/xsl/own")).body.stylesheets;
  assertEquals(
    listed.map((
      it: { path: string; usedBy: unknown; doesNotCompile: string | null },
    ) => [it.path, it.usedBy, it.doesNotCompile !== null]),
    [
      ["own/free.xsl", [], false],
      ["own/mine.xsl", [{ template: "MINE", isImport: false }], true],
      ["own/parts/vat sums.xsl", [{ template: "MINE", isImport: true }], false],
    ],
  );
  for (const path of ["own/mine.xsl", "own/parts/vat sums.xsl"]) {
    const { status, body } = await remove(path);
    assertEquals(status, 409, JSON.stringify(body));
    assertMatch(body.error, /is needed by the templates MINE; give them another one first/);
  }
  assertEquals((await remove("own/free.xsl")).status, 200);
  assertEquals((await remove("own/free.xsl")).status, 404);
  assertEquals((await remove("../free.xsl")).status, 403);
  await product.write("note.txt", "x");
  assertEquals((await remove("note.txt")).status, 422);
  assertEquals((await readdir(join(product.dataDir, "own"))).sort(), ["mine.xsl", "parts"]);
});

Deno.test("imports of a stylesheet are listed as its compiler reads them: in any spelling, without comments", async () => {
  await using product = await startProduct();
  const write = async (path: string, content: string) => {
    const { status, body } = await product.send("PUT", "/api/fs/write", { path, content });
    assertEquals(status, 200, JSON.stringify(body));
  };
  const empty = sheet("");
  const needed = ["dot.xsl", "other.xsl", "été.xsl", "again.xsl"];
  const free = ["commented.xsl", "quoted.xsl", "foreign.xsl"];
  for (const name of [...needed, ...free]) await write(`own/${name}`, empty);
  await write(
    "own/mine.xsl",
    sheet(`<é:import href='again.xsl'/>
<é:include href="dot&#46;xsl"/><é:import o:href="foreign.xsl" href="other.xsl"/>
<é:import
  href
  =
  '%C3%A9t%C3%A9.xsl'/>
<!-- <é:import href="commented.xsl"/> -->
<o:text><![CDATA[<é:import href="quoted.xsl"/>]]></o:text>`),
  );
  await transformByMine(product);
  const told: Record<string, number> = {};
  for (const name of [...needed, ...free]) {
    const path = encodeURIComponent(`own/${name}`);
    told[name] = (await product.send("DELETE", `/api/xsl?path=${path}`)).status;
  }
  assertEquals(told, {
    ...Object.fromEntries(needed.map((it) => [it, 409])),
    ...Object.fromEntries(free.map((it) => [it, 200])),
  });
});

Deno.test("a stylesheet that imports the same one thousands of times has it looked up once", async () => {
  await using product = await startProduct();
  await product.write("own/mine.xsl", sheet(""));
  await transformByMine(product);
  await product.write("own/mine.xsl", sheet('<é:import href="a.xsl"/>'.repeat(3_000)));
  const { storage } = product.deps;
  let lookedUp = 0;
  const counted = {
    ...storage,
    confine: (path: string) => {
      if (path.endsWith("a.xsl")) lookedUp++;
      return storage.confine(path);
    },
  };
  const path = await storage.confine("own/a.xsl");
  const users = await listUsingTemplates({ ...product.deps, storage: counted }, path);
  assertEquals([users.map((it) => it.name), lookedUp], [["MINE"], 1]);
});

Deno.test("no more imported text is read than would compile", async () => {
  await using product = await startProduct();
  const parts = Array.from({ length: 6 }, (_, n) => `part${n}.xml`);
  for (const name of parts) await product.write(`own/${name}`, sheet(`<!--${"x".repeat(9e6)}-->`));
  await product.write("own/mine.xsl", sheet(""));
  await transformByMine(product);
  const content = sheet(parts.map((it) => `<é:import href="${it}"/>`).join(""));
  await product.write("own/mine.xsl", content);
  const { storage } = product.deps;
  const read: string[] = [];
  const counted: typeof storage = {
    ...storage,
    readAll: (path, most) => {
      if (/part\d\.xml$/.test(path)) read.push(path);
      return storage.readAll(path, most);
    },
  };
  await listUsingTemplates(
    { ...product.deps, storage: counted },
    await storage.confine("own/a.xsl"),
  );
  assertEquals(read.length, 4);
});

Deno.test("an invoice with a missing stylesheet reports its name in the template, not its path on the server", async () => {
  await using product = await startProduct();
  await product.send("PUT", "/api/fs/write", { path: "own/mine.xsl", content: sheet("") });
  await transformByMine(product);
  await rm(join(product.dataDir, "own/mine.xsl"));
  const { deps } = product;
  const template = await useDocumentTemplate(deps, "MINE");
  const { signal } = new AbortController();
  const { message, messageFr, details } = await assertRejects(
    () => transformPiece(deps, { erp: "<x/>", template, signal }),
    AppError,
  );
  assertEquals(message, "The stylesheet own/mine.xsl does not exist");
  assertEquals(messageFr, "Le fichier XSLT own/mine.xsl n'existe pas");
  assertEquals(JSON.stringify(details).includes(product.dataDir), false);
});

/** Makes a template use `own/mine.xsl`. */
async function transformByMine(product: Awaited<ReturnType<typeof startProduct>>): Promise<void> {
  assert((await product.post("/api/templates/R42565/copy/MINE")).status < 300);
  const { body } = await product.get("/api/templates/MINE");
  const properties = { ...body.properties, transform: "own/mine.xsl" };
  const sent = await product.send("PUT", "/api/templates/MINE", { ...body, properties });
  assertEquals(sent.status, 200, JSON.stringify(sent.body));
}

function sheet(body: string): string {
  return `<é:stylesheet version="3.0" xmlns:é="http://www.w3.org/1999/XSL/Transform" xmlns:o="urn:o">${body}</é:stylesheet>`;
}
