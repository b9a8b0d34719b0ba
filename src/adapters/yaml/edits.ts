import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { alignItems, isSame, positionsAfter } from "./align.ts";
import { entryEdits, type FlowCollection, itemEdits } from "./flow_edits.ts";
import type { Source } from "./parse.ts";
import { findAliasTarget } from "./read.ts";
import {
  blockText,
  computeRange,
  contentEnd,
  type Edit,
  flowText,
  indentBlock,
  inlineScalar,
  isAlias,
  isBlock,
  isMap,
  isScalar,
  isSeq,
  scalarText,
  Unfit,
} from "./render.ts";

/** Position of a value: the column of its key or dash, and the end of the text before it. */
interface Stand {
  readonly indent: number;
  readonly flow: boolean;
  /** After the colon or the dash; undefined inside brackets, and for the root. */
  readonly from?: number | undefined;
  /** True for a map's value, which may become a separate block of lines. */
  readonly isEntry?: boolean;
}

/** Returns the edits that turn a text into one with this value. Throws `Unfit` if they cannot be determined. */
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
  /** Values that visited nodes get: an alias stays only if its anchor keeps its value. */
  readonly #wanted = new Map<unknown, unknown>();
  readonly #newline: string;

  constructor(text: string, document: Source) {
    this.#text = text;
    this.#document = document;
    this.#newline = text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** Visits all values, unchanged ones too: an alias further down may depend on them. */
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
      this.edits.length = mark;
      return this.#replace(node, value, stand);
    }
    if (isScalar(node) && !isCollection(value)) return this.#scalar(node, value, stand);
    this.#replace(node, value, stand);
  }

  #settleAlias(node: Node, value: unknown, stand: Stand) {
    const target = findAliasTarget(node, this.#document);
    if (this.#wanted.has(target) && isSame(this.#wanted.get(target), value)) return;
    this.#replace(node, value, stand);
  }

  #scalar(node: Scalar, value: unknown, { indent, flow }: Stand): void {
    if (isSame(node.value, value)) return;
    const [start, end] = computeRange(node);
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

  /** Keeps the head of a block scalar as written, with its comment. */
  #withHead(node: Scalar, text: string): string {
    const [before = ""] = this.#text.slice(...computeRange(node)).split(/\r?\n/, 1);
    const [head = ""] = text.split("\n", 1);
    const isSame = /^[|>]/.test(head) && before.split(" ")[0] === head.split(" ")[0];
    return isSame ? before + text.slice(head.length) : text;
  }

  /** Returns the indentation of a block scalar's lines relative to their key. */
  #stepOf(node: Scalar, indent: number): number {
    const [start, end] = computeRange(node);
    const [, ...lines] = this.#text.slice(start, end).split("\n");
    const first = lines.find((it) => it.trim());
    const margin = first === undefined ? 0 : first.length - first.trimStart().length;
    const step = margin - indent;
    return step >= 1 && step <= 9 ? step : 2;
  }

  /** Replaces the text of a value, not the text around it. */
  #replace(node: Node, value: unknown, { indent, flow, from, isEntry }: Stand): void {
    if (!flow && isBlock(node)) {
      if (from === undefined) throw new Unfit();
      this.#forget(node);
      return this.#put(from, contentEnd(node), ` ${flowText(value)}${this.#tailOf(node)}`);
    }
    const [start, end] = computeRange(node);
    this.#forgetInside(node);
    const isLong = !flow && isEntry && isCollection(value) && !isEmpty(value);
    if (!isLong) {
      const tail = this.#text.slice(start, end).endsWith("\n") ? "\n" : "";
      return this.#put(start, end, this.#spaced(start, flowText(value)) + tail);
    }
    this.#put(start, end, this.#text.slice(start, end).endsWith("\n") ? "\n" : "");
    this.#insertLines(this.#lineEnd(end), indentBlock(blockText(value as []), indent + 2));
  }

  /** Forgets the values of removed anchors. */
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
    const mark = this.edits.length;
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
        const own = this.edits.splice(mark);
        this.edits.push(...withoutInside(own, start, firstKept.start));
      } else if (start > firstKept.start) throw new Unfit();
    }
    this.#addEntries(value, { kept, indent, first: firstKept.pair as Pair });
  }

  /** Puts new entries behind the entry they follow, all that follow the same one at once. */
  #addEntries(
    value: Readonly<Record<string, unknown>>,
    { kept, indent, first }: {
      readonly kept: readonly { readonly key: string; readonly pair: unknown }[];
      readonly indent: number;
      readonly first: Pair;
    },
  ): void {
    const known = new Map(kept.map((it) => [it.key, it.pair as Pair]));
    let after = first;
    let added: [string, unknown][] = [];
    const add = () => {
      if (!added.length) return;
      const end = this.#lineEnd(contentEnd(after.value ?? after.key));
      this.#insertLines(end, indentBlock(blockText(Object.fromEntries(added)), indent));
      added = [];
    };
    for (const [key, it] of Object.entries(value)) {
      const pair = known.get(key);
      if (pair) {
        add();
        after = pair;
      } else added.push([key, it]);
    }
    add();
  }

  #keyOf(node: YAMLMap, pair: Pair, at: number) {
    const { key } = pair;
    if (!isScalar(key)) throw new Unfit();
    const token = (node.srcToken as { items?: SourceItem[] } | undefined)?.items?.[at];
    const colon = token?.sep?.find((it) => it.type === "map-value-ind");
    const isExplicit = token?.start.some((it) => it.type === "explicit-key-ind");
    if (!colon || isExplicit || !pair.value) throw new Unfit();
    return { key: String(key.value ?? ""), start: computeRange(key)[0], colon: colon.offset + 1 };
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
    const places = alignItems(before, value);
    const next = positionsAfter(places);
    items.forEach((item, at) => {
      const index = next.get(at);
      if (index !== undefined) {
        const stand = { indent, flow: false, from: item.dash + 1 };
        return this.settle(item.node, value[index], stand);
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
        this.#insertLines(at, indentBlock(blockText([value[index]]), indent));
      }
    });
  }

  #flowMap(node: YAMLMap, value: Readonly<Record<string, unknown>>): void {
    const edits = entryEdits(this.#frame(node), node, value);
    this.edits.push(...edits);
  }

  #flowSeq(node: YAMLSeq, value: readonly unknown[]): void {
    const places = alignItems(node.items.map((it) => this.#valueOf(it as Node)), value);
    const edits = itemEdits(this.#frame(node), node, { value, places });
    this.edits.push(...edits);
  }

  #frame(node: Node): FlowCollection {
    return {
      text: this.#text,
      range: computeRange(node),
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

  /** Inserts whole lines; a text that ends without a line break gets one first. */
  #insertLines(at: number, lines: string): void {
    const isCut = at === this.#text.length && !this.#text.endsWith("\n");
    this.#put(at, at, isCut ? `\n${lines.replace(/\n$/, "")}` : lines);
  }

  /** Adds a space after the colon or dash for a value that replaces an empty one. */
  #spaced(start: number, text: string): string {
    return /[:-]/.test(this.#text.charAt(start - 1)) ? ` ${text}` : text;
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
