import { isAlias, isScalar } from "yaml";
import type { ScalarEdit } from "#src/ports/yaml.ts";
import { findAliasTarget, nodeAt, readYaml } from "./read.ts";
import { applyEdits, type Edit, inlineScalar } from "./render.ts";

/** Puts scalars at their places; every other byte stays. */
export function spliceYaml(text: string, edits: readonly ScalarEdit[]): string {
  const { document } = readYaml(text);
  const found = new Map<unknown, Edit>();
  for (const { path, on, value } of edits) {
    const given = nodeAt(document, path, on);
    const node = isAlias(given) ? findAliasTarget(given, document) : given;
    if (!isScalar(node) || !node.range) {
      throw new Error(`${path.join(".")} is no scalar of this text`);
    }
    const [start, end] = node.range;
    found.set(node, { start, end, text: inlineScalar(value, node) });
  }
  return applyEdits(text, [...found.values()]);
}
