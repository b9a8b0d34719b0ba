import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from "yaml";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { problemOf } from "./problems.ts";
import {
  MOST_VALUES,
  type Path,
  type Place,
  type YamlProblem,
  type YamlText,
} from "#src/ports/yaml.ts";

const DEPTH = 32;

/** A text as the library keeps it, with places, comments and quoting. */
export type Source = Document.Parsed<ParsedNode>;

/** What was read, with the document it stands in. */
export interface Parsed extends YamlText {
  readonly document: Source;
}

/** What each alias of a document stands for: asked one by one, the library looks through the whole document for each. */
const targets = new WeakMap<Source, ReadonlyMap<unknown, Node>>();

/** The node an alias stands for, the last of its name before it; undefined where there is none. */
export function targetOf(alias: unknown, document: Source): Node | undefined {
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
 * Reads one document. Keys are told apart here and not by the library, whose check compares each key with all others;
 * tags beyond the JSON types are refused, and so is a node that contains itself.
 */
export function readYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    keepSourceTokens: true,
    lineCounter: lines,
    prettyErrors: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    stringKeys: false,
  });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: YamlProblem[] = [...document.errors, ...document.warnings].map((it) => ({
    ...at(it.pos[0]),
    path: [],
    sentence: problemOf(it),
  }));
  const tell = (node: unknown, path: Path, sentence: Sentence) => {
    const start = (node as Node | null)?.range?.[0] ?? 0;
    problems.push({ ...at(start), path, sentence });
  };
  return {
    document,
    value: problems.length ? undefined : valueOf(document, tell),
    problems,
    placeOf: (path, on = "value") => at(offsetOf(document, path, on)),
  };
}

type Tell = (node: unknown, path: Path, sentence: Sentence) => void;

function valueOf(document: Source, tell: Tell): unknown {
  const open = new Set<unknown>();
  let values = 0;
  let full = false;
  const convert = (node: unknown, path: Path): unknown => {
    if (full || node === null || node === undefined) return null;
    if (++values > MOST_VALUES) {
      full = true;
      tell(node, path, say`The text stands for more than ${MOST_VALUES} values`);
      return null;
    }
    if (isAlias(node)) {
      const target = targetOf(node, document);
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
  const entries = (pairs: readonly { key: unknown; value: unknown }[], path: Path) => {
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

/** Whole numbers beyond what a double holds would come back as others. */
function plain(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** The node a path leads to, through aliases; undefined where it is not written. */
export function nodeAt(
  document: Source,
  path: Path,
  on: "key" | "value",
): Node | undefined {
  const { found, rest } = follow(document, path, on);
  return rest ? undefined : found;
}

function offsetOf(document: Source, path: Path, on: "key" | "value"): number {
  return follow(document, path, on).found?.range?.[0] ?? 0;
}

/** As far as the path is written. */
function follow(document: Source, path: Path, on: "key" | "value") {
  let node: Node | null | undefined = document.contents;
  let found: Node | undefined = node ?? undefined;
  for (const [at, step] of path.entries()) {
    if (isAlias(node)) node = targetOf(node, document);
    if (isMap(node)) {
      const pair = node.items.find((it) => isScalar(it.key) && String(it.key.value) === step);
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
