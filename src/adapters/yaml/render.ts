import { Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar } from "yaml";

/** The characters from `start` to `end` become `text`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits; those of the same position keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits.map((edit, at) => ({ ...edit, at }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
  let from = 0;
  let result = "";
  for (const { start, end, text: inserted } of sorted) {
    if (start < from) throw new Unfit();
    result += text.slice(from, start) + inserted;
    from = end;
  }
  return result + text.slice(from);
}

/** This change is not made by edits in place. */
export class Unfit extends Error {}

const WIDTH = { lineWidth: 0, minContentWidth: 0 };

function getDocument(value: unknown): Document {
  return new Document(value, { aliasDuplicateObjects: false });
}

/** Formats `key: value` or `- value` as lines without indentation. */
export function blockText(value: Record<string, unknown> | readonly unknown[]): string {
  return getDocument(value).toString(WIDTH);
}

/** Returns each line but empty ones moved to the right. */
export function indentBlock(block: string, by: number): string {
  const margin = " ".repeat(by);
  return block.replace(/^(?=[^\n])/gm, margin);
}

/** Formats a value on one line, as inside brackets. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, it]) =>
      `${inlineScalar(key)}: ${flowText(it)}`
    );
    return entries.length ? `{ ${entries.join(", ")} }` : "{}";
  }
  return inlineScalar(value);
}

/** Returns a scalar on one line, quoted as `like` is where that can be; right inside brackets and outside. */
export function inlineScalar(value: unknown, like?: Scalar): string {
  const scalar = new Scalar(value);
  if (typeof value === "string") {
    const type = like?.type;
    if (/[\n\r]/.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
    else if (type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE) scalar.type = type;
  }
  const document = getDocument([scalar]);
  (document.contents as unknown as { flow: boolean }).flow = true;
  const text = document.toString({ ...WIDTH, flowCollectionPadding: false });
  return text.trimEnd().slice(1, -1);
}

/** Formats a value for the position after a key's colon or an item's dash, in the style of `like`. */
export function scalarText(
  value: unknown,
  like: Scalar,
  { indent, step }: { indent: number; step: number },
): string {
  const wasBlock = like.type === Scalar.BLOCK_LITERAL || like.type === Scalar.BLOCK_FOLDED;
  const isLong = typeof value === "string" && value.includes("\n");
  if (typeof value !== "string" || !wasBlock && !isLong) return inlineScalar(value, like);
  const scalar = new Scalar(value);
  scalar.type = wasBlock ? like.type as Scalar.BLOCK_LITERAL : Scalar.BLOCK_LITERAL;
  const text = getDocument({ k: scalar }).toString({ ...WIDTH, indent: step }).slice("k: ".length);
  const [head = "", ...lines] = text.replace(/\n$/, "").split("\n");
  return [head, ...lines.map((it) => it && " ".repeat(indent) + it)].join("\n");
}

/** Returns the end of a node's text, without a comment after it. */
export function contentEnd(node: unknown): number {
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1);
    return last ? contentEnd(last.value ?? last.key) : computeRange(node)[1];
  }
  if (isSeq(node) && !node.flow) {
    const last = node.items.at(-1);
    return last ? contentEnd(last) : computeRange(node)[1];
  }
  return computeRange(node)[1];
}

/** Returns the range of a node in the text. Throws `Unfit` if it has none. */
export function computeRange(node: unknown): readonly [number, number] {
  const range = (node as Node | null | undefined)?.range;
  if (!range) throw new Unfit();
  return [range[0], range[1]];
}

/** Checks for a map or a list written by indentation, not in brackets. */
export function isBlock(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && !node.flow;
}

export { isAlias, isMap, isScalar, isSeq };
