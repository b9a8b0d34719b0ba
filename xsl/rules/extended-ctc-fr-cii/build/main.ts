/**
 * Writes the set from EN 16931 on CII and the changes of the profile: `deno run -R -W xsl/rules/extended-ctc-
 * fr-cii/build/main.ts`.
 */

import { droppedRules, getHead, writeFiles } from "../../build/profile.ts";
import type { Context, RulePattern } from "../../build/rule.ts";
import { getDiagnostics, getPattern } from "../../build/schematron.ts";
import { parts as normParts, places as normPlaces } from "../../en16931-cii/build/main.ts";
import { describe } from "./said.ts";
import { codeParts } from "./codes.ts";
import { LINE_KEYS, lineParts } from "./lines.ts";
import { OTHER_ENTRIES, SUM_KEYS, sumParts } from "./sums.ts";

const HERE = new URL("../", import.meta.url);
const NORM = new URL("../../en16931-cii/en16931-cii.sch", import.meta.url);

export function parts(): RulePattern[] {
  const dropped = droppedRules(new URL("dropped.tsv", import.meta.url));
  const norm = normParts().map((part) => ({
    ...part,
    rules: part.rules.filter(({ id }) => !dropped.has(id)),
  }));
  return [...norm, reasonPart(), ...lineParts(), ...sumParts(), ...codeParts()];
}

/** Returns all files of the set by path. */
export function build(): Map<string, string> {
  const own = parts();
  const folders = own.map(({ name }) => ({ name, folder: "" }));
  return new Map([["extended-ctc-fr-cii.sch", entry(folders)], ...partFiles(own)]);
}

/** Returns the rules and messages of parts by path. */
export function partFiles(own: readonly RulePattern[]): Map<string, string> {
  const places = new Map<string, Context>(normPlaces());
  const subtotal = places.get("subtotal");
  if (subtotal !== undefined) places.set("subtotal", { ...subtotal, pattern: OTHER_ENTRIES });
  return new Map(own.flatMap((part): [string, string][] => [
    [`rules/${part.name}.sch`, getPattern(part, new Map([...places, ...part.contexts ?? []]))],
    [`messages/${part.name}.sch`, getDiagnostics(part)],
  ]));
}

/** Returns the rule on the reason of a charge; the norm has two such rules and the profile one. */
function reasonPart(): RulePattern {
  const asked = [
    ["38", "documentCharge", "BT-104 | BT-105"],
    ["44", "lineCharge", "BT-144 | BT-145"],
  ] as const;
  return {
    name: "extension-reasons",
    title: "Reasons of charges",
    rules: asked.map(([n, context, terms]) =>
      describe({
        id: `BR-FREXT-BR-${n}`,
        as: `BR-${n}`,
        context,
        test: "exists(../ram:Reason | ../ram:ReasonCode)",
        expected: `'${terms}'`,
      })
    ),
  };
}

/**
 * Returns the entry: the head of the EN 16931 schema with the profile's texts, then the parts, each from its
 * folder.
 */
export function entry(
  parts: readonly { readonly name: string; readonly folder: string }[],
  version = "1.4.0.03",
): string {
  const head = getHead(NORM, { title: "EXTENDED-CTC-FR on CII: CrossIndustryInvoice", version });
  return [
    head,
    "",
    "  <!-- Lines that count, and how lines refer to each other. -->",
    ...[...LINE_KEYS, ...SUM_KEYS].map((key) => `  ${key}`),
    "",
    ...["rules", "messages"].flatMap((kind) =>
      parts.map(({ name, folder }) => `  <include href="${folder}${kind}/${name}.sch"/>`)
    ),
    "</schema>",
    "",
  ].join("\n");
}

if (import.meta.main) await writeFiles(HERE, build());
