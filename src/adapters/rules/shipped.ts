import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { Manifest, type ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { newRuleSet } from "./rule_set.ts";

/** Folder of the product's rule sets, wherever the product is started from. */
export const SHIPPED_FOLDER = fileURLToPath(new URL("../../../xsl/rules/", import.meta.url));

/**
 * Reads the shipped sets: manifests at once, schemas on first use, so that a short-lived process loads only the
 * sets it uses.
 */
export function shippedSets(folder: string): RuleSet[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isDirectory() && existsSync(join(folder, it.name, "ruleset.json")))
    .map((it) => it.name).sort()
    .map((name) => shippedSet(join(folder, name)));
}

function shippedSet(folder: string): RuleSet {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, "ruleset.json"), "utf8")));
  const state = { effectiveFrom: manifest.effectiveFrom ?? "", active: true };
  return newRuleSet(manifest, { files: () => schemasIn(folder), from: "shipped", state });
}

/** Returns the set's own files, and those of neighbouring sets that it includes (`../en16931-ubl/rules/…`). */
function schemasIn(folder: string): ReleaseFiles {
  const own = filesIn(folder, "");
  const siblings = Object.values(own).flatMap((text) =>
    [...text.matchAll(/href="\.\.\/([\w.-]+)\//g)].map(([, name = ""]) => name)
  );
  const shared = [...new Set(siblings)].map((name) =>
    filesIn(join(folder, "..", name), `../${name}/`)
  );
  return Object.assign({}, own, ...shared);
}

function filesIn(folder: string, prefix: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(sch|xml)$/.test(name));
  return Object.fromEntries(names.map((name) => [
    `${prefix}${name.replaceAll("\\", "/")}`,
    readFileSync(join(folder, name), "utf8"),
  ]));
}
