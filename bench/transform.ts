/**
 * Measures a transform by size of invoice, with SaxonJS alone and through the pool: `deno run -A bench/transform.ts`.
 * One process runs one transform at a time.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import SaxonJS from "saxon-js";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { silentLog } from "#tests/support/log.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const BUDGET = 1_500;

const cacheDir = await mkdtemp(join(tmpdir(), "bench-"));
const xslt = createSaxonXslt({
  modules: modulesInFolders([ROOT]),
  log: silentLog,
  size: 1,
  cacheDir,
});
try {
  const single = await readFile(resolve(HERE, "../tests/golden/erp/R42565-single.xml"), "utf8");
  const compiling = performance.now();
  await xslt.check(STYLESHEET);
  say(`compile: ${(performance.now() - compiling).toFixed(0)} ms`);
  const [name = ""] = await readdir(cacheDir);
  const sef = JSON.parse(await readFile(join(cacheDir, name), "utf8"));
  for (const lines of [2, 5, 20, 100, 500]) {
    const source = withLines(single, lines);
    const pooled = await wallMs(() => xslt.transform({ stylesheet: STYLESHEET, source }));
    const alone = cpuMs(() => inProcess(sef, source));
    const size = (source.length / 1000).toFixed(1);
    say(
      `${lines} lines, ${size} kB: SaxonJS ${alone.toFixed(1)} ms of CPU ` +
        `(${(1000 / alone).toFixed(0)} per second and core), ` +
        `through the pool ${pooled.toFixed(1)} ms (${(1000 / pooled).toFixed(0)} per second)`,
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

/** Returns the median elapsed time of the work. */
async function wallMs(work: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 20; warm++) await work();
  const taken: number[] = [];
  for (const end = performance.now() + BUDGET; performance.now() < end;) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0;
}

/** Returns the mean processor time of the work, which other load hardly affects. */
function cpuMs(work: () => unknown): number {
  for (let warm = 0; warm < 20; warm++) work();
  const before = process.cpuUsage();
  let done = 0;
  for (const end = performance.now() + BUDGET; performance.now() < end; done++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / done;
}

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
