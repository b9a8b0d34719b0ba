import { assertEquals } from "@std/assert";
import { join } from "node:path";
import {
  type CompiledSchema,
  compileSchema,
  type FailedAssertion,
  loadSchema,
} from "#src/schematron/mod.ts";
import { parseXml, type XmlDocument } from "#src/xml/mod.ts";
import { plainPath } from "./saxon_verdicts.ts";
import { CDV } from "../../xsl/rules/br-fr-cdv/build/main.ts";
import { CDV_04 } from "../../xsl/rules/br-fr-cdv-1.4.0.04/build/main.ts";
import { FLUX2_CII_04 } from "../../xsl/rules/br-fr-flux2-cii-1.4.0.04/build/main.ts";
import { FLUX2_04 } from "../../xsl/rules/br-fr-flux2-ubl-1.4.0.04/build/main.ts";
import { FLUX2 } from "../../xsl/rules/br-fr-flux2-ubl/build/main.ts";
import { renderSchema } from "../../xsl/rules/br-fr-flux2-ubl/build/schema.ts";
import { build as buildExtendedCii } from "../../xsl/rules/extended-ctc-fr-cii/build/main.ts";
import { build as buildExtendedCii04 } from "../../xsl/rules/extended-ctc-fr-cii-1.4.0.04/build/main.ts";
import { build as buildExtendedUbl } from "../../xsl/rules/extended-ctc-fr-ubl/build/main.ts";
import { build as buildExtendedUbl04 } from "../../xsl/rules/extended-ctc-fr-ubl-1.4.0.04/build/main.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");
const SHARED = Deno.env.get("PASSERELLE_SHARED") ?? join(ROOT, "../shared");
const SAMPLES = join(ROOT, "tests/conformance/french");

interface FrenchSet {
  readonly name: string;
  readonly rules: number;
  /** Folder of valid samples. */
  readonly samples: string;
  /** Files in the folder of the set that contain its own rules, in addition to those of EN 16931. */
  readonly own: readonly string[];
  /** Rules that never fire, as in the published set: their context never occurs, or an earlier rule matches it. */
  readonly silent: readonly string[];
}

const SETS: readonly FrenchSet[] = [
  {
    name: "br-fr-flux2-ubl",
    rules: 175,
    samples: "",
    own: ["br-fr-flux2-ubl.sch"],
    silent: [
      "BR-FR-09_EXT-FR-FE-146",
      "BR-FR-16_BT-103",
      "BR-FR-27_BG-32",
      "BR-FR-27_BT-160",
      "BR-FR-27_EXT-FR-FE-159",
      "BR-FR-DEC-01_BT-111",
    ],
  },
  {
    name: "br-fr-cdv",
    rules: 42,
    samples: "cdar",
    own: ["br-fr-cdv.sch"],
    silent: [
      "BR-FR-CDV-01_MDG-3",
      "BR-FR-CDV-04_MDG-4",
      "BR-FR-CDV-05_MDG-9",
      "BR-FR-CDV-06_MDT-21",
      "BR-FR-CDV-07_MDT-38_no",
      "BR-FR-CDV-10_MDT-87",
    ],
  },
  {
    name: "extended-ctc-fr-ubl",
    rules: 953,
    samples: "extended",
    own: ["lines", "items", "totals", "vat", "codes", "ubl"].map((part) =>
      `rules/extension-${part}.sch`
    ),
    silent: [],
  },
  {
    name: "extended-ctc-fr-cii",
    rules: 747,
    samples: "extended-cii",
    own: [
      ...["account", "cii", "codes", "counted", "item-codes", "items", "lines", "reasons"],
      ...["totals", "vat"],
    ].map((part) => `rules/extension-${part}.sch`),
    silent: ["BR-EXT-CL-07"],
  },
];

for (const set of SETS) {
  Deno.test(`${set.name}: nothing is wrong with the samples`, () => {
    const schema = load(set.name);
    const folder = join(SAMPLES, set.samples);
    for (const file of documentsIn(folder)) {
      const report = schema.run(document(join(folder, file)));
      assertEquals([file, verdict(report.failures)], [file, "-"]);
      assertEquals([report.ran, report.of], [set.rules, set.rules]);
    }
  });

  Deno.test(`${set.name}: every rule that can fire is shown by a broken sample`, () => {
    const schema = load(set.name);
    const shown = new Set<string>();
    for (
      const [file = "", find = "", replace = "", expected = ""] of getRows(
        join(SAMPLES, `${set.name}.tsv`),
      )
    ) {
      const sample = Deno.readTextFileSync(join(SAMPLES, file));
      assertEquals(sample.split(find).length, 2, `${file} holds ${find} once`);
      const { failures } = schema.run(parseXml(sample.replace(find, () => replace)));
      assertEquals([file, find, replace, verdict(failures)], [file, find, replace, expected]);
      failures.forEach((failure) => shown.add(failure.rule));
    }
    assertEquals(getRules(set).filter((rule) => !shown.has(rule)), set.silent);
  });

  Deno.test(`${set.name}: every finding stands at the node of the published rule`, () => {
    const schema = load(set.name);
    const found = new Map<string, Set<string>>();
    for (const [file = "", find = "", replace = ""] of getRows(join(SAMPLES, `${set.name}.tsv`))) {
      const sample = Deno.readTextFileSync(join(SAMPLES, file)).replace(find, () => replace);
      for (const { rule, location } of schema.run(parseXml(sample)).failures) {
        const place = plainPath(location).replace(/\[\d+\]/g, "");
        found.set(rule, (found.get(rule) ?? new Set()).add(place));
      }
    }
    // The table contains Saxon-HE's results for the same samples under the published stylesheets.
    const published = getRows(join(SAMPLES, "places.tsv")).filter(([name]) => name === set.name);
    const ours = [...found].map(([rule, places]) => [rule, [...places].sort().join(" ")]);
    assertEquals(
      Object.fromEntries(ours),
      Object.fromEntries(published.map(([, rule = "", places = ""]) => [rule, places])),
    );
  });

  Deno.test(`${set.name}: every finding speaks French and English and says what was expected`, () => {
    const schema = load(set.name);
    const own = new Set(getRules(set));
    for (const [file = "", find = "", replace = ""] of getRows(join(SAMPLES, `${set.name}.tsv`))) {
      const sample = Deno.readTextFileSync(join(SAMPLES, file)).replace(find, () => replace);
      for (const failure of schema.run(parseXml(sample)).failures) {
        const missing = own.has(failure.rule) ? incomplete(failure) : [];
        assertEquals([failure.rule, missing], [failure.rule, []]);
      }
    }
  });
}

Deno.test("the rule files match their tables: run build/main.ts of the set after a change", () => {
  const written = new Map([
    ["br-fr-flux2-ubl/br-fr-flux2-ubl.sch", renderSchema(FLUX2)],
    ["br-fr-flux2-ubl-1.4.0.04/br-fr-flux2-ubl.sch", renderSchema(FLUX2_04)],
    ["br-fr-flux2-cii-1.4.0.04/br-fr-flux2-cii.sch", renderSchema(FLUX2_CII_04)],
    ["br-fr-cdv/br-fr-cdv.sch", renderSchema(CDV)],
    ["br-fr-cdv-1.4.0.04/br-fr-cdv.sch", renderSchema(CDV_04)],
    ...inFolder("extended-ctc-fr-ubl", buildExtendedUbl()),
    ...inFolder("extended-ctc-fr-ubl-1.4.0.04", buildExtendedUbl04()),
    ...inFolder("extended-ctc-fr-cii", buildExtendedCii()),
    ...inFolder("extended-ctc-fr-cii-1.4.0.04", buildExtendedCii04()),
  ]);
  const stale = [...written].filter(([path, text]) =>
    Deno.readTextFileSync(join(ROOT, "xsl/rules", path)) !== text
  );
  assertEquals(stale.map(([path]) => path), []);
});

Deno.test("br-fr-flux2-ubl: same rules fire as in the published set on all reference invoices", () => {
  const schema = load("br-fr-flux2-ubl");
  const folder = join(SHARED, "cases/french");
  const differences: string[] = [];
  let compared = 0;
  for (const [file = "", , , expected = ""] of getRows(join(folder, "verdicts.tsv"))) {
    const { failures } = schema.run(document(join(folder, file)));
    if (expected === "!") continue;
    compared++;
    if (verdict(failures) !== expected) {
      differences.push(`${file}: ${verdict(failures)} instead of ${expected}`);
    }
  }
  assertEquals([compared, differences], [832, []]);
});

function inFolder(folder: string, files: ReadonlyMap<string, string>): [string, string][] {
  return [...files].map(([path, text]) => [`${folder}/${path}`, text]);
}

function load(name: string): CompiledSchema {
  return compileSchema(loadSchema(getEntry(name), (path) => Deno.readTextFileSync(path)));
}

function getEntry(name: string): string {
  const folder = join(ROOT, "xsl/rules", name);
  const manifest: { entry: string } = JSON.parse(
    Deno.readTextFileSync(join(folder, "ruleset.json")),
  );
  return join(folder, manifest.entry);
}

/** Returns the ids of the set's own assertions, sorted. */
function getRules({ name, own }: FrenchSet): readonly string[] {
  const texts = own.map((file) => Deno.readTextFileSync(join(ROOT, "xsl/rules", name, file)));
  return texts.flatMap((text) =>
    [...text.matchAll(/<assert id="([^"]+)"/g)].map(([, id = ""]) => id)
  ).sort();
}

function verdict(failures: readonly FailedAssertion[]): string {
  return failures.map(({ rule }) => rule).sort().join(",") || "-";
}

/** Lists the missing parts of a finding that readers need. */
function incomplete(
  { kind, message, diagnostics, line, column, location }: FailedAssertion,
): readonly string[] {
  const french = diagnostics.find(({ lang }) => lang === "fr")?.text ?? "";
  const expected = diagnostics.find(({ role }) => role === "expected")?.text ?? "";
  return [
    ...(kind === "failed" ? [] : ["evaluation"]),
    ...(message.endsWith(".") ? [] : ["message"]),
    ...(french.endsWith(".") ? [] : ["French message"]),
    ...(expected.trim() === "" ? ["expected value"] : []),
    ...(line > 0 && column > 0 && location.startsWith("/") ? [] : ["place"]),
  ];
}

function documentsIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".xml")
  ).sort();
}

function document(path: string): XmlDocument {
  return parseXml(Deno.readFileSync(path));
}

/** Returns the cells of a table without its heading. */
function getRows(path: string): readonly string[][] {
  return Deno.readTextFileSync(path).trimEnd().split("\n").slice(1).map((line) => line.split("\t"));
}
