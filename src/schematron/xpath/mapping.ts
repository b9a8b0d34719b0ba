import type { XmlNode } from "#src/xml/mod.ts";
import {
  type Code,
  collector,
  FOCUS,
  LAST,
  MANY,
  manyCode,
  oneCode,
  OPTIONAL,
  POSITION,
  type Sink,
  type Walker,
} from "./code.ts";
import type { EvaluationFrame } from "./frame.ts";
import type { XPathItem } from "./items.ts";
import { inDocumentOrder, sortNodes } from "./order.ts";

/** `inner` for each item of `base` as context item; nodes come out in document order. */
export function mapCode(base: Code, inner: Code): Code {
  const depends = base.depends | (inner.depends & ~FOCUS);
  if ((inner.depends & (POSITION | LAST)) !== 0) return mapWithPositions(base, inner, depends);
  if (base.card !== MANY && inner.card !== MANY) {
    const one = (frame: EvaluationFrame) => {
      const item = base.one(frame);
      return item === undefined ? undefined : evaluateAt(frame, item, inner.one);
    };
    return oneCode(inner.kind, depends, one, base.card === 1 ? inner.card : OPTIONAL);
  }
  const through = (deliver: (sink: Sink) => Walker, wanted: Code["each"]) => (sink: Sink) =>
    deliver(innerSink(inner, wanted, sink));
  const any = through(base.any, inner.any);
  const each = through(base.each, inner.each);
  if (inner.kind !== "node") {
    return manyCode(inner.kind, depends, each, { any: base.distinct ? any : each });
  }
  const single = base.card !== MANY;
  return single
    ? manyCode("node", depends, each, {
      any,
      distinct: inner.distinct,
      ordered: inner.ordered,
      flat: inner.flat,
    })
    : manyCode("node", depends, sortNodes(any), { any, distinct: false, ordered: false });
}

function innerSink(inner: Code, wanted: Code["each"], sink: Sink): Sink {
  if (inner.card !== MANY) {
    const { one } = inner;
    return (frame, item) => {
      const outer = frame.item;
      frame.item = item;
      const value = one(frame);
      frame.item = outer;
      return value !== undefined && sink(frame, value);
    };
  }
  const collect = collector(wanted);
  return (frame, item) => {
    const outer = frame.item;
    frame.item = item;
    const values = collect(frame);
    frame.item = outer;
    return values.some((value) => sink(frame, value));
  };
}

function evaluateAt(
  frame: EvaluationFrame,
  item: XPathItem,
  one: Code["one"],
): XPathItem | undefined {
  const outer = frame.item;
  frame.item = item;
  const value = one(frame);
  frame.item = outer;
  return value;
}

function mapWithPositions(base: Code, inner: Code, depends: number): Code {
  const items = collector(base.each);
  const values = collector(inner.each);
  const all = (frame: EvaluationFrame): XPathItem[] => {
    const { item, position, last } = frame;
    const list = items(frame);
    const out: XPathItem[] = [];
    frame.last = list.length;
    for (const [at, next] of list.entries()) {
      frame.item = next;
      frame.position = at + 1;
      out.push(...values(frame));
    }
    frame.item = item;
    frame.position = position;
    frame.last = last;
    return inner.kind === "node" ? inDocumentOrder(out as XmlNode[]) : out;
  };
  return manyCode(
    inner.kind,
    depends,
    (sink) => (frame) => all(frame).some((item) => sink(frame, item)),
  );
}
