import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { parseXml } from "#src/xml/mod.ts";
import { longTest } from "#tests/support/long.ts";

/** Path of Debian's `libsaxonhe-java`. */
const JAR = process.env.SAXON_HE_JAR ?? "/usr/share/java/Saxon-HE.jar";
const XSL = "http://www.w3.org/1999/XSL/Transform";
const MAX_ROUNDS = 40;

/** Saxon-HE on Java: reference for types, casts and the verdicts of published stylesheets. */
export interface SaxonHe {
  /**
   * Transforms a file, or each file of a folder into an existing folder; returns the error output. A document that
   * fails has no result and does not affect the others.
   */
  transform(run: { stylesheet: string; source: string; output: string }): Promise<string>;
}

/** Returns undefined if Java or Saxon-HE is missing. */
export function saxonHe(): SaxonHe | undefined {
  const java = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "java"))
    .find((file) => existsSync(file));
  if (java === undefined || !existsSync(JAR)) return undefined;
  return {
    transform: ({ stylesheet, source, output }) =>
      new Promise((resolve) => {
        const args = [
          ...["-Xss64m", "-XX:+UseSerialGC", "-cp", JAR, "net.sf.saxon.Transform"],
          ...[`-xsl:${stylesheet}`, `-s:${source}`, `-o:${output}`],
        ];
        execFile(java, args, { maxBuffer: 1 << 28 }, (_, __, stderr) => resolve(stderr));
      }),
  };
}

/** Registers a long test that needs Saxon-HE: without it, the test fails in CI and is skipped on a laptop. */
export function saxonTest(name: string, test: (saxon: SaxonHe) => Promise<void>): void {
  const saxon = saxonHe();
  if (saxon === undefined && process.env.CI === undefined) {
    Deno.test.ignore(`${name} (needs Java and Debian's libsaxonhe-java)`, () => {});
    return;
  }
  longTest({
    name,
    async fn() {
      if (saxon === undefined) throw new Error(`Saxon-HE is missing: no java on PATH or no ${JAR}`);
      await test(saxon);
    },
  });
}

/** Saxon-HE's value of an expression: items as text separated by bars, or `error CODE`. */
export interface ReferenceValue {
  readonly text: string;
  /** True if the error was found statically, which XPath leaves optional. */
  readonly isStatic: boolean;
}

/** Evaluates expressions at the root element of a document, in order. */
export async function evaluateAll(
  saxon: SaxonHe,
  expressions: readonly string[],
  document: string,
): Promise<readonly ReferenceValue[]> {
  const folder = mkdtempSync(join(tmpdir(), "passerelle-saxon-he-"));
  const paths = {
    stylesheet: join(folder, "expressions.xsl"),
    source: join(folder, "document.xml"),
    output: join(folder, "result.xml"),
  };
  writeFileSync(paths.source, document);
  const found = new Map<number, ReferenceValue>();
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      writeFileSync(paths.stylesheet, writeStylesheet(expressions, found));
      const said = await saxon.transform(paths);
      if (existsSync(paths.output)) {
        readValues(readFileSync(paths.output, "utf8"), found);
        return expressions.map((_, at) => found.get(at) ?? { text: "missing", isStatic: true });
      }
      if (!readStaticErrors(said, found)) throw new Error(said);
    }
    throw new Error("Saxon-HE keeps finding static errors");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes one expression per line, so that the line of a static error identifies it. */
function writeStylesheet(
  expressions: readonly string[],
  known: ReadonlyMap<number, unknown>,
): string {
  const lines = expressions.map((expression, at) => {
    if (known.has(at)) return "";
    const select = quote(`string-join(for $it in (${expression}) return string($it), '|')`);
    return `<xsl:try><r n="${at}"><xsl:value-of select="${select}"/></r>` +
      `<xsl:catch><r n="${at}" fault="{local-name-from-QName($err:code)}"/></xsl:catch></xsl:try>`;
  });
  return `<xsl:stylesheet version="3.0" xmlns:xsl="${XSL}" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:p="urn:p" xmlns:err="http://www.w3.org/2005/xqt-errors"><xsl:template match="/*"><values>
${lines.join("\n")}
</values></xsl:template></xsl:stylesheet>`;
}

function readStaticErrors(said: string, found: Map<number, ReferenceValue>): boolean {
  const before = found.size;
  const errors = said.matchAll(
    /^(?:Static e|E)rror .*?on line (\d+) column[^\n]*\n\s+([A-Z]{4}\d{4})/gms,
  );
  for (const [, line = "", code = ""] of errors) {
    found.set(Number(line) - 2, { text: `error ${code}`, isStatic: true });
  }
  return found.size > before;
}

function readValues(xml: string, found: Map<number, ReferenceValue>): void {
  for (const element of parseXml(xml).root.elements()) {
    const fault = element.attr("fault");
    const text = fault === undefined ? element.text : `error ${fault}`;
    found.set(Number(element.attr("n")), { text, isStatic: false });
  }
}

function quote(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
