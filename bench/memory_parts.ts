import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { getChildren } from "./cpu.ts";
import { residentMegabytes } from "./memory.ts";
import { median, type Row } from "./table.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..");
const ROUNDS = 3;
const V8 = "--v8-flags=--expose-gc";
const INVOICE = `const text = await Deno.readTextFile("tests/golden/ubl/100000-RI-00001.xml");
  const bytes = new TextEncoder().encode(text);`;
const JUDGE = `
  const { shippedJudging } = await import("#src/compose/judging.ts");
  const { validateDocument } = await import("#src/gateway/validation/mod.ts");`;
const READ = `
  const { readInvoice } = await import("#src/domain/ubl/mod.ts");
  const { parseXml } = await import("#src/xml/mod.ts");
  const invoice = readInvoice(parseXml(text));`;
const SAXON = `
  const { createSaxonXslt } = await import("#src/adapters/saxon/mod.ts");
  const { modulesInFolders } = await import("#src/adapters/saxon/modules.ts");
  const { silentLog } = await import("#tests/support/log.ts");
  const folder = await Deno.realPath("xsl/transform");
  const stylesheet = folder + "/R42565.xsl";
  const source = await Deno.readTextFile("tests/golden/erp/R42565-single.xml");
  globalThis.kept = createSaxonXslt(
    { modules: modulesInFolders([folder]), log: silentLog, size: 1, cacheDir: Deno.env.get("FOLDER") });`;

/** Work of a process before it becomes idle; `of` names the part that it is compared with. */
interface Part {
  readonly what: string;
  readonly code: string;
  readonly of?: string;
}

const MODULES = `await import("#src/compose/product.ts"); await import("#src/compose/web.ts");`;
const PARTS: readonly Part[] = [
  { what: "Deno with nothing in it", code: "" },
  { what: "modules that serve", code: MODULES, of: "" },
  {
    what: "modules that work on the queues",
    code: `${MODULES} await import("#workers/run.ts");`,
    of: MODULES,
  },
  {
    what: "embedded database, its 16 MB of buffers empty",
    code: `const { openPglite } = await import("#src/adapters/pglite/database.ts");
      globalThis.kept = await openPglite(Deno.env.get("FOLDER"));`,
    of: `await import("#src/adapters/pglite/database.ts");`,
  },
  {
    what: "rule sets EN 16931 and BR-FR for UBL, once used",
    code: `${INVOICE}${JUDGE} globalThis.kept = shippedJudging();
      for (let i = 0; i < 50; i++) await validateDocument(globalThis.kept, bytes);`,
    of: `${INVOICE}${JUDGE}`,
  },
  {
    what: "fonts and pdf-lib, once used",
    code: `${INVOICE}${READ} const { createInvoicePdf } = await import("#src/adapters/pdf/mod.ts");
      globalThis.kept = createInvoicePdf();
      for (let i = 0; i < 10; i++) await globalThis.kept.render(invoice, { language: "fr" });`,
    of: `${INVOICE}${READ}`,
  },
  {
    what: "a SaxonJS process, there while there is work",
    code: `${SAXON} await globalThis.kept.transform({ stylesheet, source });`,
    of: SAXON,
  },
];

/** Measures the memory of an idle process by part: each part in its own process, compared with a process without it. */
export async function memoryParts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, code, of } of PARTS) {
    const differences: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const without = of === undefined ? 0 : await restingMb(of);
      differences.push(await restingMb(code) - without);
    }
    rows.push({
      what,
      figure: `${of === undefined ? "" : "+ "}${median(differences).toFixed(0)} MB`,
      note: differences.map((it) => it.toFixed(0)).join(", "),
    });
  }
  return rows;
}

async function restingMb(code: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-parts-"));
  const whole = `${code}
    process.on("SIGUSR2", () => {});
    await new Promise((done) => setTimeout(done, 500));
    gc();
    process.kill(process.pid, "SIGUSR2");
    await new Promise((done) => setTimeout(done, 1000));
    console.log("at rest");
    await new Promise(() => setTimeout(() => {}, 600000));`;
  const child = spawn(process.execPath, ["eval", "--no-check", V8, whole], {
    cwd: ROOT,
    env: { ...process.env, FOLDER: join(folder, "db"), NO_COLOR: "1", DENO_USR2_MEMORY_TRIM: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await new Promise<void>((done, failed) => {
      child.stdout.on("data", (it) => String(it).includes("at rest") && done());
      child.once("exit", (it) => failed(new Error(`A process to be measured ended with ${it}`)));
    });
    const pids = [child.pid ?? 0, ...getChildren(child.pid ?? 0)];
    return (await Promise.all(pids.map(residentMegabytes))).reduce((sum, it) => sum + it, 0);
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}
