/** Writes the set from EN 16931 on CII and what the profile changes: `deno run -R -W xsl/rules/extended-ctc-fr-cii/build/main.ts`. */

import { droppedRules, headOf, writeFiles } from "../../build/profile.ts";
import type { Context, Part } from "../../build/rule.ts";
import { diagnosticsOf, patternOf } from "../../build/schematron.ts";
import { parts as normParts, places as normPlaces } from "../../en16931-cii/build/main.ts";
import { said } from "./said.ts";
import { codeParts } from "./codes.ts";
import { LINE_KEYS, lineParts } from "./lines.ts";
import { OTHER_ENTRIES, SUM_KEYS, sumParts } from "./sums.ts";

const HERE = new URL("../", import.meta.url);
const NORM = new URL("../../en16931-cii/en16931-cii.sch", import.meta.url);

export function parts(): Part[] {
  const dropped = droppedRules(new URL("dropped.tsv", import.meta.url));
  const norm = normParts().map((part) => ({
    ...part,
    rules: part.rules.filter(({ id }) => !dropped.has(id)),
  }));
  return [...norm, reasonPart(), ...lineParts(), ...sumParts(), ...codeParts()];
}

/** Every file of the set by its path. */
export function build(): Map<string, string> {
  const places = new Map<string, Context>(normPlaces());
  const subtotal = places.get("subtotal");
  if (subtotal !== undefined) places.set("subtotal", { ...subtotal, pattern: OTHER_ENTRIES });
  const own = parts();
  return new Map([
    ["extended-ctc-fr-cii.sch", entry(own)],
    ...own.flatMap((part): [string, string][] => [
      [`rules/${part.name}.sch`, patternOf(part, new Map([...places, ...part.contexts ?? []]))],
      [`messages/${part.name}.sch`, diagnosticsOf(part)],
    ]),
  ]);
}

/** A charge needs its reason, of which the norm has two rules and the profile one. */
function reasonPart(): Part {
  const asked = [
    ["38", "documentCharge", "BT-104 | BT-105"],
    ["44", "lineCharge", "BT-144 | BT-145"],
  ] as const;
  return {
    name: "extension-reasons",
    title: "Reasons of charges",
    rules: asked.map(([n, context, terms]) =>
      said({
        id: `BR-FREXT-BR-${n}`,
        as: `BR-${n}`,
        context,
        test: "exists(../ram:Reason | ../ram:ReasonCode)",
        expected: `'${terms}'`,
      })
    ),
  };
}

/** The head of the EN 16931 schema with the words of the profile, then the parts. */
function entry(own: readonly Part[]): string {
  const head = headOf(NORM, {
    title: "EXTENDED-CTC-FR on CII: CrossIndustryInvoice",
    version: "1.4.0.03",
  });
  return [
    head,
    "",
    "  <!-- Lines that count, and how lines refer to each other. -->",
    ...[...LINE_KEYS, ...SUM_KEYS].map((key) => `  ${key}`),
    "",
    ...["rules", "messages"].flatMap((folder) =>
      own.map(({ name }) => `  <include href="${folder}/${name}.sch"/>`)
    ),
    "</schema>",
    "",
  ].join("\n");
}

if (import.meta.main) await writeFiles(HERE, build());
