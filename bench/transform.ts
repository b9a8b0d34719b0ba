/**
 * Transforms per second and core by size of invoice, and how much of that time is SaxonJS itself:
 * `deno run -A bench/transform.ts`. One process, one transform at a time.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import SaxonJS from "saxon-js";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const BUDGET = 2_000;

const cacheDir = await mkdtemp(join(tmpdir(), "bench-"));
const xslt = createSaxonXslt({ roots: [ROOT], size: 1, cacheDir });
try {
  const single = await readFile(resolve(HERE, "../tests/golden/erp/R42565-single.xml"), "utf8");
  const compiling = performance.now();
  await xslt.check(STYLESHEET);
  say(`compile: ${(performance.now() - compiling).toFixed(0)} ms`);
  const [name = ""] = await readdir(cacheDir);
  const sef = JSON.parse(await readFile(join(cacheDir, name), "utf8"));
  for (const lines of [2, 5, 20, 100, 500]) {
    const source = withLines(single, lines);
    const pooled = await rate(() => xslt.transform({ stylesheet: STYLESHEET, source }));
    const alone = await rate(() => Promise.resolve(inProcess(sef, source)));
    const size = (source.length / 1000).toFixed(1);
    say(
      `${lines} lines, ${size} kB: ${pooled.toFixed(1)} per second, ` +
        `${(100 * pooled / alone).toFixed(0)} % of it SaxonJS`,
    );
  }
} finally {
  await xslt.close();
  await rm(cacheDir, { recursive: true });
}

function inProcess(sef: unknown, sourceText: string): unknown {
  return SaxonJS.transform({
    stylesheetInternal: sef,
    sourceText,
    destination: "serialized",
  }, "sync");
}

function withLines(single: string, lines: number): string {
  const [detail = ""] = /<Invoice_Detail_S20>.*?<\/Invoice_Detail_S20>/s.exec(single) ?? [];
  return single.replace(/<Invoice_Detail_S20>.*<\/Invoice_Detail_S20>/s, detail.repeat(lines));
}

async function rate(work: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 20; warm++) await work();
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < BUDGET) {
    await work();
    done++;
  }
  return done / ((performance.now() - started) / 1000);
}

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
