import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, visit, type YAMLMap } from "yaml";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseSource, type Source } from "./parse.ts";
import { explainProblem } from "./problems.ts";
import {
  MAX_PROBLEMS,
  MAX_VALUES,
  type TextPosition,
  type YamlPath,
  type YamlProblem,
  type YamlText,
} from "#src/ports/yaml.ts";

const DEPTH = 32;

/** Result of reading, with its document. */
export interface Parsed extends YamlText {
  readonly document: Source;
}

/** Targets of the aliases of a document. The library would search the whole document for each. */
const targets = new WeakMap<Source, ReadonlyMap<unknown, Node>>();

/** Returns the node of an alias: the last one before it with this name; undefined if it is missing. */
export function findAliasTarget(alias: unknown, document: Source): Node | undefined {
  const known = targets.get(document) ?? targetsIn(document);
  targets.set(document, known);
  return known.get(alias);
}

function targetsIn(document: Source): ReadonlyMap<unknown, Node> {
  const found = new Map<unknown, Node>();
  const anchored = new Map<string, Node>();
  visit(document, {
    Alias(_, alias) {
      const target = anchored.get(alias.source);
      if (target) found.set(alias, target);
    },
    Value(_, node) {
      if (node.anchor) anchored.set(node.anchor, node);
    },
  });
  return found;
}

/**
 * Reads one document. Duplicate keys are detected here, since the library compares each key with all others. Tags
 * beyond the JSON types are rejected, as is a node that contains itself.
 */
export function readYaml(text: string): Parsed {
  const lines = new LineCounter();
  const { document, errors, errorCount } = parseSource(text, lines);
  const at = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: YamlProblem[] = errors.map((it) => ({
    ...at(it.offset),
    path: [],
    sentence: explainProblem(it),
  }));
  let problemCount = errorCount;
  const tell = (node: unknown, path: YamlPath, sentence: Sentence) => {
    if (++problemCount > MAX_PROBLEMS) return;
    const start = (node as Node | null)?.range?.[0] ?? 0;
    problems.push({ ...at(start), path, sentence });
  };
  const value = problemCount ? undefined : getValue(document, tell);
  return {
    document,
    value,
    problems,
    problemCount,
    placeOf: (path, on = "value") => at(computeOffset(document, path, on)),
  };
}

type Tell = (node: unknown, path: YamlPath, sentence: Sentence) => void;

function getValue(document: Source, tell: Tell): unknown {
  const open = new Set<unknown>();
  let values = 0;
  let full = false;
  const convert = (node: unknown, path: YamlPath): unknown => {
    if (full || node === null || node === undefined) return null;
    if (++values > MAX_VALUES) {
      full = true;
      tell(node, path, say`The text stands for more than ${MAX_VALUES} values`);
      return null;
    }
    if (isAlias(node)) {
      const target = findAliasTarget(node, document);
      if (target && !open.has(target)) return convert(target, path);
      tell(
        node,
        path,
        target
          ? say`*${node.source} contains itself`
          : say`There is no anchor ${node.source} before this place`,
      );
      return null;
    }
    if (path.length > DEPTH) {
      tell(node, path, say`The text is nested deeper than ${DEPTH}`);
      full = true;
      return null;
    }
    open.add(node);
    try {
      if (isSeq(node)) return node.items.map((it, index) => convert(it, [...path, index]));
      if (isMap(node)) return entries(node.items, path);
      return isScalar(node) ? plain(node.value) : null;
    } finally {
      open.delete(node);
    }
  };
  const entries = (pairs: readonly { key: unknown; value: unknown }[], path: YamlPath) => {
    const found = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value ?? "") : undefined;
      if (name === undefined || name === "__proto__") {
        tell(
          key,
          path,
          name === undefined ? say`A key is a plain text` : say`A key cannot be ${name}`,
        );
      } else if (found.has(name)) {
        tell(key, [...path, name], say`The key ${name} stands here twice`);
      } else found.set(name, convert(value, [...path, name]));
    }
    return Object.fromEntries(found);
  };
  return convert(document.contents, []);
}

/** Converts whole numbers that a double cannot represent to text, since they would be rounded. */
function plain(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Returns the node a path leads to, through aliases; undefined where it is not written. */
export function nodeAt(
  document: Source,
  path: YamlPath,
  on: "key" | "value",
): Node | undefined {
  const { found, rest } = follow(document, path, on);
  return rest ? undefined : found;
}

function computeOffset(document: Source, path: YamlPath, on: "key" | "value"): number {
  return follow(document, path, on).found?.range?.[0] ?? 0;
}

/** Follows a path as far as it is written. */
function follow(document: Source, path: YamlPath, on: "key" | "value") {
  let node: Node | null | undefined = document.contents;
  let found: Node | undefined = node ?? undefined;
  for (const [at, step] of path.entries()) {
    if (isAlias(node)) node = findAliasTarget(node, document);
    if (isMap(node)) {
      const pair = pairsIn(node).get(step);
      if (!pair) return { found, rest: path.length - at };
      const isLast = at === path.length - 1;
      found = (isLast && on === "key" ? pair.key : pair.value ?? pair.key) as Node;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(step)] as Node | null | undefined;
      if (!node) return { found, rest: path.length - at };
      found = node;
    } else return { found, rest: path.length - at };
  }
  return { found, rest: 0 };
}

type Pair = YAMLMap["items"][number];

/** The entries of each map by name: a search from the first entry for each name would take quadratic time. */
const entriesByName = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

function pairsIn(map: YAMLMap): ReadonlyMap<unknown, Pair> {
  const known = entriesByName.get(map);
  if (known) return known;
  const found = new Map<unknown, Pair>();
  for (const pair of map.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (name !== undefined && !found.has(name)) found.set(name, pair);
  }
  entriesByName.set(map, found);
  return found;
}
