import type { XmlNode } from "#src/xml/mod.ts";
import type { Blame } from "./blame.ts";
import { compileMatch, type Matcher, matches } from "./match.ts";
import type { KeyModel } from "./model.ts";
import { textOf } from "./xpath/atomic.ts";
import { type Code, collector, DOC, manyCode } from "./xpath/code.ts";
import { type Env, type KeyIndex, memoSlot } from "./xpath/env.ts";
import { atNode, type Frame } from "./xpath/frame.ts";
import { inDocumentOrder } from "./xpath/order.ts";
import { memoized } from "./xpath/memo.ts";

/** An `xsl:key`: an index of the document by the text of `use`, built when first asked. */
export function declareKey(model: KeyModel, env: Env, blame: Blame): KeyIndex {
  let build: ((frame: Frame) => ReadonlyMap<string, XmlNode[]>) | undefined;
  blame.later(() => void prepare());
  const prepare = () => {
    if (build !== undefined) return build;
    blame.rule = `key ${model.name}`;
    const matchers = blame.matchers(model.match, () => compileMatch(blame.parse(model.match), env));
    const use = collector(blame.compile(model.use, env).each);
    const slot = memoSlot(env.shared, `#key ${model.name}`);
    build = memoized(
      (frame) => {
        const index = new Map<string, XmlNode[]>();
        for (const node of candidates(frame, matchers)) {
          if (
            !matchers.some((matcher) => atNode(frame, node, () => matches(matcher, frame, node)))
          ) continue;
          for (const value of new Set(atNode(frame, node, use).map(textOf))) {
            const list = index.get(value);
            if (list === undefined) index.set(value, [node]);
            else list.push(node);
          }
        }
        return index;
      },
      slot,
    );
    return build;
  };
  return { compile: (value) => lookUp(value, prepare()) };
}

/** Nodes that may match, in document order. */
function candidates(frame: Frame, matchers: readonly Matcher[]): readonly XmlNode[] {
  if (matchers.every(({ name }) => name >= 0)) {
    const names = new Set(matchers.map(({ name }) => frame.names[name] ?? -1));
    return inDocumentOrder([...names].flatMap((id) => frame.doc.named(id)));
  }
  return frame.doc.all.flatMap((element): XmlNode[] => [element, ...element.attributes]);
}

function lookUp(value: Code, index: (frame: Frame) => ReadonlyMap<string, XmlNode[]>): Code {
  const values = collector(value.each);
  const depends = value.depends | DOC;
  return manyCode("node", depends, (sink) => (frame) => {
    const map = index(frame);
    const [first, ...more] = values(frame);
    if (first === undefined) return false;
    const found = map.get(textOf(first)) ?? [];
    const nodes = more.length === 0
      ? found
      : inDocumentOrder([first, ...more].flatMap((item) => map.get(textOf(item)) ?? []));
    return nodes.some((node) => sink(frame, node));
  });
}
