import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { aligned, isSame } from "./align.ts";
import { entryEdits, type Frame, itemEdits } from "./flow_edits.ts";
import { type Source, targetOf } from "./read.ts";
import {
  blockText,
  contentEnd,
  type Edit,
  flowText,
  indented,
  inlineScalar,
  isAlias,
  isBlock,
  isMap,
  isScalar,
  isSeq,
  rangeOf,
  scalarText,
  Unfit,
} from "./render.ts";

/** Where a value stands: the column its key or dash begins at, and the end of what is before it. */
interface Stand {
  readonly indent: number;
  readonly flow: boolean;
  /** After the colon or the dash; undefined inside brackets, and for the root. */
  readonly from?: number | undefined;
  /** A map's value may become a block of lines of its own. */
  readonly isEntry?: boolean;
}

/** The edits that turn a text into one with this value. Throws `Unfit` where they cannot be told. */
export function editsFor(text: string, document: Source, value: unknown): readonly Edit[] {
  const writer = new Writer(text, document);
  if (!document.contents || !isMap(document.contents)) throw new Unfit();
  writer.settle(document.contents, value, { indent: 0, flow: false });
  return writer.edits;
}

class Writer {
  edits: Edit[] = [];
  readonly #text: string;
  readonly #document: Source;
  /** What the nodes seen so far stand for afterwards: an alias stays only where its anchor does. */
  readonly #wanted = new Map<unknown, unknown>();
  readonly #newline: string;

  constructor(text: string, document: Source) {
    this.#text = text;
    this.#document = document;
    this.#newline = text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** Everything is walked, what stays too: an alias further down may depend on it. */
  settle(node: Node | null, value: unknown, stand: Stand): void {
    if (node === null) throw new Unfit();
    if (isAlias(node)) return this.#settleAlias(node, value, stand);
    this.#wanted.set(node, value);
    const mark = this.edits.length;
    try {
      if (isMap(node) && isRecord(value)) {
        if (!Object.keys(value).length && !node.items.length) return;
        return node.flow ? this.#flowMap(node, value) : this.#blockMap(node, value);
      }
      if (isSeq(node) && Array.isArray(value)) {
        if (!value.length && !node.items.length) return;
        return node.flow ? this.#flowSeq(node, value) : this.#blockSeq(node, value);
      }
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      this.edits = this.edits.slice(0, mark);
      return this.#replace(node, value, stand);
    }
    if (isScalar(node) && !isCollection(value)) return this.#scalar(node, value, stand);
    this.#replace(node, value, stand);
  }

  #settleAlias(node: Node, value: unknown, stand: Stand) {
    const target = targetOf(node, this.#document);
    if (this.#wanted.has(target) && isSame(this.#wanted.get(target), value)) return;
    this.#replace(node, value, stand);
  }

  #scalar(node: Scalar, value: unknown, { indent, flow }: Stand): void {
    if (isSame(node.value, value)) return;
    const [start, end] = rangeOf(node);
    const text = flow
      ? inlineScalar(value, node)
      : this.#withHead(node, scalarText(value, node, { indent, step: this.#stepOf(node, indent) }));
    const wasBlock = this.#text.slice(start, end).endsWith("\n");
    const [head = "", ...lines] = text.split("\n");
    if (lines.length && !wasBlock) { // a comment behind the value stays behind the head
      this.#put(start, end, this.#spaced(start, head));
      return this.#insertLines(this.#lineEnd(end), `${lines.join("\n")}\n`);
    }
    this.#put(start, end, this.#spaced(start, text) + (wasBlock ? "\n" : ""));
  }

  /** The head of a block scalar stays as it was spelt, its comment included. */
  #withHead(node: Scalar, text: string): string {
    const [before = ""] = this.#text.slice(...rangeOf(node)).split(/\r?\n/, 1);
    const [head = ""] = text.split("\n", 1);
    const isSame = /^[|>]/.test(head) && before.split(" ")[0] === head.split(" ")[0];
    return isSame ? before + text.slice(head.length) : text;
  }

  /** How far the lines of a block scalar stand right of their key. */
  #stepOf(node: Scalar, indent: number): number {
    const [start, end] = rangeOf(node);
    const [, ...lines] = this.#text.slice(start, end).split("\n");
    const first = lines.find((it) => it.trim());
    const margin = first === undefined ? 0 : first.length - first.trimStart().length;
    const step = margin - indent;
    return step >= 1 && step <= 9 ? step : 2;
  }

  /** Gives up how the value is written, not what is around it. */
  #replace(node: Node, value: unknown, { indent, flow, from, isEntry }: Stand): void {
    if (!flow && isBlock(node)) {
      if (from === undefined) throw new Unfit();
      this.#forget(node);
      return this.#put(from, contentEnd(node), ` ${flowText(value)}${this.#tailOf(node)}`);
    }
    const [start, end] = rangeOf(node);
    this.#forgetInside(node);
    const isLong = !flow && isEntry && isCollection(value) && !isEmpty(value);
    if (!isLong) {
      const tail = this.#text.slice(start, end).endsWith("\n") ? "\n" : "";
      return this.#put(start, end, this.#spaced(start, flowText(value)) + tail);
    }
    this.#put(start, end, this.#text.slice(start, end).endsWith("\n") ? "\n" : "");
    this.#insertLines(this.#lineEnd(end), indented(blockText(value as []), indent + 2));
  }

  /** What its anchors stood for is gone with it. */
  #forget(node: unknown): void {
    this.#wanted.delete(node);
    this.#forgetInside(node);
  }

  #forgetInside(node: unknown): void {
    if (isMap(node)) node.items.forEach((it) => this.#forget(it.value));
    if (isSeq(node)) node.items.forEach((it) => this.#forget(it));
  }

  #tailOf(node: Node): string {
    return this.#text.slice(0, contentEnd(node)).endsWith("\n") ? "\n" : "";
  }

  #blockMap(node: YAMLMap, value: Readonly<Record<string, unknown>>): void {
    const pairs = node.items.map((pair, at) => ({ pair, ...this.#keyOf(node, pair, at) }));
    const kept = pairs.filter(({ key }) => Object.hasOwn(value, key));
    const [first] = pairs;
    const [firstKept] = kept;
    if (!first || !firstKept) throw new Unfit();
    const indent = this.#column(first.start);
    for (const [at, { pair, key, start, colon }] of pairs.entries()) {
      if (Object.hasOwn(value, key)) {
        const stand = { indent, flow: false, from: colon, isEntry: true };
        this.settle(pair.value as Node | null, value[key], stand);
      } else if (this.#isFirstOfLine(start)) {
        this.#forget(pair.value);
        this.#put(this.#lineStart(start), this.#lineEnd(contentEnd(pair.value ?? pair.key)), "");
      } else if (at === 0) {
        pairs.slice(0, pairs.indexOf(firstKept)).forEach((it) => this.#forget(it.pair.value));
        this.#put(start, firstKept.start, "");
        this.edits = withoutInside(this.edits, start, firstKept.start);
      } else if (start > firstKept.start) throw new Unfit();
    }
    let after: Pair = firstKept.pair as Pair;
    for (const key of Object.keys(value)) {
      const known = kept.find((it) => it.key === key);
      if (known) after = known.pair as Pair;
      else {
        const end = this.#lineEnd(contentEnd(after.value ?? after.key));
        this.#insertLines(end, indented(blockText({ [key]: value[key] }), indent));
      }
    }
  }

  #keyOf(node: YAMLMap, pair: Pair, at: number) {
    const { key } = pair;
    if (!isScalar(key)) throw new Unfit();
    const token = (node.srcToken as { items?: SourceItem[] } | undefined)?.items?.[at];
    const colon = token?.sep?.find((it) => it.type === "map-value-ind");
    const isExplicit = token?.start.some((it) => it.type === "explicit-key-ind");
    if (!colon || isExplicit || !pair.value) throw new Unfit();
    return { key: String(key.value ?? ""), start: rangeOf(key)[0], colon: colon.offset + 1 };
  }

  #blockSeq(node: YAMLSeq, value: readonly unknown[]): void {
    const tokens = (node.srcToken as { items?: SourceItem[] } | undefined)?.items ?? [];
    const items = node.items.map((it, at) => {
      const dash = tokens[at]?.start.find((token) => token.type === "seq-item-ind");
      if (!dash || !it) throw new Unfit();
      return { node: it as Node, dash: dash.offset };
    });
    const [first] = items;
    if (!first || !value.length) throw new Unfit();
    const indent = this.#column(first.dash);
    const before = items.map((it) => this.#valueOf(it.node));
    const places = aligned(before, value);
    const kept = new Set(places);
    items.forEach((item, at) => {
      if (kept.has(at)) {
        const stand = { indent, flow: false, from: item.dash + 1 };
        return this.settle(item.node, value[places.indexOf(at)], stand);
      }
      if (!this.#isFirstOfLine(item.dash)) throw new Unfit();
      this.#forget(item.node);
      this.#put(this.#lineStart(item.dash), this.#lineEnd(contentEnd(item.node)), "");
    });
    let at = this.#lineStart(first.dash);
    places.forEach((place, index) => {
      const item = place === undefined ? undefined : items[place];
      if (item) at = this.#lineEnd(contentEnd(item.node));
      else {
        if (!this.#isFirstOfLine(first.dash)) throw new Unfit();
        this.#insertLines(at, indented(blockText([value[index]]), indent));
      }
    });
  }

  #flowMap(node: YAMLMap, value: Readonly<Record<string, unknown>>): void {
    const edits = entryEdits(this.#frame(node), node, value);
    this.edits.push(...edits);
  }

  #flowSeq(node: YAMLSeq, value: readonly unknown[]): void {
    const places = aligned(node.items.map((it) => this.#valueOf(it as Node)), value);
    const edits = itemEdits(this.#frame(node), node, { value, places });
    this.edits.push(...edits);
  }

  #frame(node: Node): Frame {
    return {
      text: this.#text,
      range: rangeOf(node),
      settle: (inner, value) => this.settle(inner, value, { indent: 0, flow: true }),
      forget: (inner) => this.#forget(inner),
    };
  }

  #valueOf(node: Node): unknown {
    return node.toJS(this.#document);
  }

  #put(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text: text.replaceAll("\n", this.#newline) });
  }

  /** Whole lines; a text that ends without a line break gets one first. */
  #insertLines(at: number, lines: string): void {
    const isCut = at === this.#text.length && !this.#text.endsWith("\n");
    this.#put(at, at, isCut ? `\n${lines.replace(/\n$/, "")}` : lines);
  }

  /** A value that nothing stood for follows its colon or dash after a space. */
  #spaced(start: number, text: string): string {
    return /[:-]$/.test(this.#text.slice(0, start)) && start > 0 ? ` ${text}` : text;
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  #lineEnd(offset: number): number {
    if (offset > 0 && this.#text[offset - 1] === "\n") return offset;
    const end = this.#text.indexOf("\n", offset);
    return end < 0 ? this.#text.length : end + 1;
  }

  #column(offset: number): number {
    return offset - this.#lineStart(offset);
  }

  #isFirstOfLine(offset: number): boolean {
    return !this.#text.slice(this.#lineStart(offset), offset).trim();
  }
}

interface SourceItem {
  readonly start: readonly { readonly type: string; readonly offset: number }[];
  readonly sep?: readonly { readonly type: string; readonly offset: number }[];
}

function withoutInside(edits: readonly Edit[], start: number, end: number): Edit[] {
  return edits.filter((it) => it.start === start || it.start < start || it.start >= end);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return !Object.keys(value as object).length;
}
