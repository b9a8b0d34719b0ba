import { XmlElement, type XmlShape } from "#src/xml/mod.ts";
import { keyOf, type Span } from "./ast.ts";
import { textOf } from "./atomic.ts";
import {
  type Code,
  collector,
  isTextKind,
  manyCode,
  SCOPED,
  type Sink,
  type Walker,
} from "./code.ts";
import { type Env, memoSlot } from "./env.ts";
import type { Item } from "./items.ts";
import { memoized } from "./memo.ts";

/** Computes a list once per document; equal paths of all rules share it. */
export function rememberedNodes(code: Code, span: Span, env: Env): Code {
  const { shared } = env;
  const key = (code.depends & SCOPED) !== 0 ? `#${shared.memoSize}` : `list ${keyOf(span)}`;
  const list = memoized(collector(code.each), memoSlot(shared, key));
  const each = (sink: Sink): Walker => (frame) => {
    const items = list(frame);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (item !== undefined && sink(frame, item)) return true;
    }
    return false;
  };
  const texts = isTextKind(code.kind)
    ? memoized((frame) => new Set(list(frame).map(textOf)), memoSlot(shared, `texts ${key}`))
    : undefined;
  if (code.kind !== "node") return manyCode(code.kind, code.depends, each, { kept: true, texts });
  const shapes = memoized(
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

function shapesIn(items: readonly Item[]): readonly XmlShape[] {
  const shapes = new Set<XmlShape>();
  for (const item of items) if (item instanceof XmlElement) shapes.add(item.shape);
  return [...shapes];
}
