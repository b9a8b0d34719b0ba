import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSchema } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import type { SaxonHe } from "#tests/support/saxon_he.ts";
import { schematronToXslt } from "#tests/support/schematron_to_xslt.ts";

/** Finding of either side: its rule, and a path of local names that both sides can produce. */
export interface Fired {
  readonly rule: string;
  readonly place: string;
  /** True if the test could not be evaluated. */
  readonly fault?: boolean;
}

/** Documents per run of Saxon-HE: starting it takes seconds, its results take disk space. */
const BATCH = 1000;

/**
 * Yields Saxon-HE's findings in each document. The stylesheet is a published SVRL stylesheet (`.xsl`, `.xslt`), or a
 * translated Schematron rule set. Documents that could not be processed are missing.
 */
export async function* saxonVerdicts(
  saxon: SaxonHe,
  rules: string,
  files: readonly string[],
): AsyncGenerator<{ file: string; fired: readonly Fired[] | undefined; failure: string }> {
  const folder = mkdtempSync(join(tmpdir(), "passerelle-saxon-he-"));
  try {
    const stylesheet = getStylesheet(rules, folder);
    for (let from = 0; from < files.length; from += BATCH) {
      const batch = files.slice(from, from + BATCH);
      const [source, output] = ["in", "out"].map((name) => join(folder, `${name}${from}`));
      if (source === undefined || output === undefined) return;
      mkdirSync(source);
      mkdirSync(output);
      const names = batch.map((file, at) => {
        const name = `${String(at).padStart(6, "0")}.xml`;
        copyFileSync(file, join(source, name));
        return name;
      });
      const failures = failuresIn(await saxon.transform({ stylesheet, source, output }));
      const written = new Set(readdirSync(output));
      if (written.size === 0) {
        throw new Error(`Saxon-HE judged nothing by ${rules}: ${[...failures.values()][0]}`);
      }
      for (const [at, file] of batch.entries()) {
        const name = names[at] ?? "";
        const failure = failures.get(name) ?? (written.has(name) ? "" : "no result");
        const judged = failure === "";
        const fired = judged ? firedIn(readFileSync(join(output, name), "utf8")) : undefined;
        yield { file, fired, failure };
      }
      rmSync(source, { recursive: true });
      rmSync(output, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function getStylesheet(rules: string, folder: string): string {
  const stylesheet = join(folder, "rules.xsl");
  if (!/\.sch$/i.test(rules)) {
    const published = readFileSync(rules, "utf8");
    const readable = withoutUnionSteps(published);
    if (readable === published) return rules;
    writeFileSync(stylesheet, readable);
    return stylesheet;
  }
  const model = loadSchema(rules, (path) => readFileSync(path, "utf8"));
  writeFileSync(stylesheet, schematronToXslt(model));
  return stylesheet;
}

/** Rewrites patterns such as `(a | b)[x]/c`, which Saxon-HE 9.9 cannot compile, as `*[self::a or self::b][x]/c`. */
function withoutUnionSteps(stylesheet: string): string {
  return stylesheet.replace(/\bmatch="[^"]*"/g, (match) =>
    match.replace(
      /(?<=["/])\(([\w:-]+)\s*\|\s*([\w:-]+)\)(?=[/[])/g,
      "*[self::$1 or self::$2]",
    ));
}

/** Returns the reason per file that could not be processed; its output is incomplete. */
function failuresIn(said: string): ReadonlyMap<string, string> {
  const reasons = said.matchAll(/^While processing (?:\S*\/)?(\d{6}\.xml): (.*)$/gm);
  return new Map([...reasons].map(([, name = "", reason = ""]) => [name, reason]));
}

/** Reads the findings of a report in our format, whose documents are small, or in SVRL. */
function firedIn(result: string): readonly Fired[] {
  if (/<report\b/.test(result.slice(0, 200))) {
    return parseXml(result).root.elements().map((element) => ({
      rule: element.attr("rule") ?? "",
      place: plainPath(element.attr("place") ?? ""),
      fault: element.attr("fault") !== undefined,
    }));
  }
  const findings = result.matchAll(
    /<svrl:(?:failed-assert|successful-report)\b([^>]*)>(?:\s*<svrl:text>([^<]*))?/g,
  );
  return [...findings].map(([, attributes = "", sentence = ""]) => ({
    rule: attribute(attributes, "id") || ruleNamed(sentence),
    place: plainPath(attribute(attributes, "location")),
  }));
}

/** Some published rules have their id only in the sentence. */
function ruleNamed(sentence: string): string {
  return /^\s*\[([\w.-]+)\]/.exec(sentence)?.[1] ?? "";
}

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return (value?.[1] ?? value?.[2] ?? "").replaceAll("&#34;", '"').replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

/** Returns `/Invoice/LegalMonetaryTotal/PayableAmount`: local names, and positions other than the first. */
export function plainPath(path: string): string {
  return path.replace(/\[namespace-uri\(\)\s*=\s*(?:'[^']*'|"[^"]*")\]/g, "")
    .replace(/Q\{[^}]*\}/g, "").replace(/(?<=\/@?)[\w.*-]+:/g, "").replace(/\[1\]/g, "");
}
