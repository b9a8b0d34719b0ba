import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { openChildren } from "#src/adapters/children/mod.ts";
import { createCompiler } from "#src/adapters/saxon/compiler.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import type { Template } from "#src/domain/template/template.ts";
import { readDocument } from "#src/gateway/documents/mod.ts";
import type { RunItemRow, RunRow } from "#src/gateway/runs/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { getRows } from "#src/ports/db.ts";
import { transformFailure, type Xslt } from "#src/ports/xslt.ts";
import { silentLog } from "#tests/support/log.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";

const THIEF = "Thief Ltd";

function sheet(body: string): string {
  return `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output omit-xml-declaration="yes"/>
<xsl:template match="/"><o>${body}</o></xsl:template></xsl:stylesheet>`;
}

/** Starts a timer in its process through a JavaScript name built at run time. */
const LEAVES_A_TIMER = sheet(
  `<xsl:evaluate context-item="." xpath="concat('Q{http://saxonica.com/ns/global', 'JS}setInterval(true(), 5)')"/>`,
);
const PRINTS = sheet(`<xsl:evaluate xpath="'true'" context-item="."/>`);

const template = (name: string, transform: string): Template => ({
  name,
  type: "document",
  properties: { transform, inputDir: "input" },
});
const BUNDLED = template("R42565", "%APP_HOME%/R42565.xsl");

longTest(
  "a stylesheet that leaves something behind changes no invoice of another template",
  async (t) => {
    await using product = await startProduct();
    const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
    const { size: length } = await Deno.stat(file);
    const erp = { file, length };
    let sent = "";

    await t.step(
      "as it was done: refused, and the invoice is sent with its own buyer",
      async () => {
        for (const [index, text] of [LEAVES_A_TIMER, PRINTS].entries()) {
          const path = `input/thief${index}.xsl`;
          await product.write(path, sheet("<none/>")); // a template that names the other text is refused
          const name = `Thief${index}`;
          const saved = await product.post("/api/templates", template(name, path));
          assertEquals(saved.status, 200, JSON.stringify(saved.body));
          await product.write(path, text);
          const { body } = await product.post("/api/run", { template: name, file, mode: "BURST" });
          const run = (await product.get(`/api/runs/${body.runId}`)).body;
          assertEquals(run.invoices.map((it: { state: string }) => it.state), ["rejected"]);
          assertMatch(run.invoices[0].message, /xsl:evaluate is not allowed/);
        }
        const { body } = await product.post("/api/run", {
          template: "R42565",
          file,
          mode: "BURST",
        });
        assertEquals(body.success, true, JSON.stringify(body));
        const kept = await product.deps.db.execute(
          sql`select bytes from evidence_contents where sha256 in
        (select content_sha256 from evidence where kind = 'sent')`,
        );
        const [{ bytes } = { bytes: new Uint8Array() }] = getRows<{ bytes: Uint8Array }>(kept);
        sent = new TextDecoder().decode(bytes);
      },
    );

    const own = (await readDocument(product.deps, locate(erp, BUNDLED))).ubl;
    assertEquals(sent, own);
    const forging = (what: object) => ({
      sheet: sheet(`leave${JSON.stringify(what)}`),
      own,
      erp,
      product,
    });

    await t.step("without any lock on its programs: its process is separate", async () => {
      await using stage = await unlock(forging({ buyer: THIEF }), { tenants: "each its own" });
      await stage.leave();
      assertEquals(await stage.other(), own);
    });

    await t.step(
      "without separate processes the attack succeeds: the locks prevent it",
      async () => {
        await using stage = await unlock(forging({ buyer: THIEF }), { tenants: "one" });
        await stage.leave();
        const forged = await stage.other();
        assertNotEquals(forged, own);
        assert(forged.includes(THIEF));
      },
    );

    await t.step("and an answer about another document is refused as such", async () => {
      await using stage = await unlock(forging({ number: "666" }), { tenants: "one" });
      await stage.leave();
      const refusal = await assertRejects(() => stage.other(), AppError);
      assertEquals(transformFailure(refusal)?.kind, "mismatch");
    });

    await t.step("and an unrequested answer ends its process", async () => {
      await using stage = await unlock(forging({ unasked: true, buyer: THIEF }), {
        tenants: "one",
      });
      await stage.leave();
      await stage.died();
      assertEquals(await stage.other(), own);
    });
  },
);

interface Erp {
  readonly file: string;
  readonly length: number;
}

/** Returns the whole file as the only item of a run. */
function locate({ file, length }: Erp, template: Template) {
  return {
    run: { file: file as ConfinedPath, sourceType: "xml" } as RunRow,
    item: {
      index: 0,
      offset: 0,
      length,
      line: 1,
      envelopeOpen: null,
      envelopeClose: null,
    } as RunItemRow,
    envelope: { open: "", close: "" },
    encoding: "utf-8" as const,
    template,
    signal: new AbortController().signal,
  };
}

interface Forging {
  readonly sheet: string;
  readonly erp: Erp;
  readonly product: TestProduct;
}

/** Transforms in children without their own lock, with one stylesheet each or one for all. */
async function unlock(
  { sheet, erp, product }: Forging,
  { tenants }: { tenants: "each its own" | "one" },
) {
  const path = await product.write("input/leaves.xsl", sheet);
  const { home } = product.deps.stylesheets;
  const environment = { HOME: homedir() };
  const compiler = createCompiler({
    modules: modulesInFolders([home, dirname(path)]),
    cacheDir: undefined,
    environment,
  });
  const deaths: unknown[] = [];
  const children = openChildren({
    program: {
      name: "stylesheets",
      entry: new URL("./unlocked_child.js", import.meta.url),
      memory: 256,
      environment,
    },
    log: { ...silentLog, warn: (event) => void deaths.push(event) },
    busy: 2,
  });
  const xslt: Xslt = {
    async transform({ stylesheet, source }) {
      const { hash, sef, sources } = await compiler.compiled(stylesheet);
      const answer = await children.run({
        job: { source },
        tenant: tenants === "one" ? "one" : hash,
        primer: { key: hash, value: () => ({ sef }) },
        deadlineMs: 30_000,
        read: (value) => value as { output: string; messages: string[] },
      });
      return { ...answer, sources };
    },
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const deps = { ...product.deps, xslt };
  return {
    /** Runs the attacker's file; its outcome does not matter. */
    leave: () =>
      readDocument(deps, locate(erp, template("Leaves", "input/leaves.xsl"))).catch((error) => {
        if (!(error instanceof ChildDied)) throw error;
      }),
    other: async () => (await readDocument(deps, locate(erp, BUNDLED))).ubl,
    async died() {
      while (!deaths.length) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async [Symbol.asyncDispose]() {
      compiler.close();
      await children.close();
    },
  };
}
