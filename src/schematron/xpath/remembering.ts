import { XmlElement, type XmlShape } from "#src/xml/mod.ts";
import { getKey, type Span } from "./ast.ts";
import { toText } from "./atomic.ts";
import {
  type Code,
  collector,
  isTextKind,
  manyCode,
  SCOPED,
  type Sink,
  type Walker,
} from "./code.ts";
import { memoSlot, type StaticContext } from "./env.ts";
import type { XPathItem } from "./items.ts";
import { memoize } from "./memo.ts";

/** Computes a list once per document; equal paths of all rules share it. */
export function rememberedNodes(code: Code, span: Span, env: StaticContext): Code {
  const { shared } = env;
  const key = (code.depends & SCOPED) !== 0 ? `#${shared.memoSize}` : `list ${getKey(span)}`;
  const list = memoize(collector(code.each), memoSlot(shared, key));
  const each = (sink: Sink): Walker => (frame) => {
    const items = list(frame);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (item !== undefined && sink(frame, item)) return true;
    }
    return false;
  };
  const texts = isTextKind(code.kind)
    ? memoize((frame) => new Set(list(frame).map(toText)), memoSlot(shared, `texts ${key}`))
    : undefined;
  if (code.kind !== "node") return manyCode(code.kind, code.depends, each, { kept: true, texts });
  const shapes = memoize(
    (frame) => shapesIn(list(frame)),
    memoSlot(shared, `shapes ${key}`),
  );
  return manyCode("node", code.depends, each, {
    flat: code.flat,
    needs: code.needs,
    kept: true,
    texts,
    bool: (frame) => list(frame).length > 0,
    chain: { names: [], exact: false, from: shapes },
  });
}

function shapesIn(items: readonly XPathItem[]): readonly XmlShape[] {
  const shapes = new Set<XmlShape>();
  for (const item of items) if (item instanceof XmlElement) shapes.add(item.shape);
  return [...shapes];
}
