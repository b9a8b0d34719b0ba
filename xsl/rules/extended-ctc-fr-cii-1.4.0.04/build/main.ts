/** Writes the rules that 1.4.0.04 changes: `deno run -R -W xsl/rules/extended-ctc-fr-cii-1.4.0.04/build/main.ts`. */

import { writeFiles } from "../../build/profile.ts";
import type { RulePattern, RuleSource } from "../../build/rule.ts";
import { parts as normParts, usageRule } from "../../en16931-cii/build/main.ts";
import { entry, partFiles, parts as formerParts } from "../../extended-ctc-fr-cii/build/main.ts";

const VERSION = "1.4.0.04";
const HERE = new URL("../", import.meta.url);
const FORMER = "../extended-ctc-fr-cii/";

/** Removed rule: it repeated CII-SR-470, which does not apply to this profile. */
const REMOVED: ReadonlySet<string> = new Set(["BR-CO-27"]);

/** Rules of EN 16931 that the profile applies again unchanged. */
const RETURNED: ReadonlySet<string> = new Set(
  [[467, 469], [471, 473], [475, 494]].flatMap(([from = 0, to = 0]) =>
    Array.from({ length: to - from + 1 }, (_, at) => `CII-SR-${from + at}`)
  ),
);

/** Name and value of an item attribute, now optional. */
const RELAXED: ReadonlyMap<string, { readonly id: string; readonly path: string }> = new Map([
  ["CII-SR-069", { id: "CII-FREXT-SR-069", path: "ram:Description" }],
  ["CII-SR-072", { id: "CII-FREXT-SR-072", path: "ram:Value" }],
]);

/** Returns the parts of the set; parts without a change in 1.4.0.04 have the rules of 1.4.0.03. */
export function parts(): RulePattern[] {
  const former = formerParts();
  const known = new Set(former.flatMap(({ rules }) => rules).map(({ id }) => id));
  const norm = new Map(normParts().map((part) => [part.name, part]));
  return former.map((part) => {
    const kept = new Map(part.rules.map((rule) => [rule.id, rule]));
    const isAsked = ({ id }: RuleSource) => kept.has(id) || (RETURNED.has(id) && !known.has(id));
    const source = norm.get(part.name)?.rules.filter(isAsked) ?? part.rules;
    const rules = source.map((rule) => relax(kept.get(rule.id) ?? rule));
    return { ...part, rules: rules.filter(({ id }) => !REMOVED.has(id)) };
  }).filter(({ rules }) => rules.length > 0);
}

function relax(rule: RuleSource): RuleSource {
  const change = RELAXED.get(rule.id);
  if (change === undefined) return rule;
  const { flag, context, terms } = rule;
  return usageRule({ ...change, flag, context, kind: "once" }, terms);
}

/** Returns all files of the set by path; parts without a change are included from 1.4.0.03. */
export function build(): Map<string, string> {
  const former = partFiles(formerParts());
  const files = partFiles(parts());
  const isSame = (name: string) =>
    ["rules", "messages"].every((kind) =>
      files.get(`${kind}/${name}.sch`) === former.get(`${kind}/${name}.sch`)
    );
  const included = parts().map(({ name }) => ({ name, folder: isSame(name) ? FORMER : "" }));
  const own = included.filter(({ folder }) => folder === "").map(({ name }) => name);
  const written = [...files].filter(([path]) => own.some((name) => path.endsWith(`/${name}.sch`)));
  return new Map([["extended-ctc-fr-cii.sch", entry(included, VERSION)], ...written]);
}

if (import.meta.main) await writeFiles(HERE, build());
