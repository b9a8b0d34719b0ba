import type { XmlNode } from "#src/xml/mod.ts";
import type { Blame } from "./blame.ts";
import { compileMatch, type Matcher, matches } from "./match.ts";
import type { KeyModel } from "./model.ts";
import { toText } from "./xpath/atomic.ts";
import { type Code, collector, DOC, manyCode } from "./xpath/code.ts";
import { type KeyIndex, memoSlot, type StaticContext } from "./xpath/env.ts";
import { atNode, type EvaluationFrame } from "./xpath/frame.ts";
import { inDocumentOrder } from "./xpath/order.ts";
import { memoize } from "./xpath/memo.ts";

/** Compiles an `xsl:key`: an index of the document by the text of `use`, built on first use. */
export function declareKey(model: KeyModel, env: StaticContext, blame: Blame): KeyIndex {
  let build: ((frame: EvaluationFrame) => ReadonlyMap<string, XmlNode[]>) | undefined;
  blame.later(() => void prepare());
  const prepare = () => {
    if (build !== undefined) return build;
    blame.rule = `key ${model.name}`;
    const matchers = blame.matchers(model.match, () => compileMatch(blame.parse(model.match), env));
    const use = collector(blame.compile(model.use, env).each);
    const slot = memoSlot(env.shared, `#key ${model.name}`);
    build = memoize(
      (frame) => {
        const index = new Map<string, XmlNode[]>();
        for (const node of candidates(frame, matchers)) {
          if (
            !matchers.some((matcher) => atNode(frame, node, () => matches(matcher, frame, node)))
          ) continue;
          for (const value of new Set(atNode(frame, node, use).map(toText))) {
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
function candidates(frame: EvaluationFrame, matchers: readonly Matcher[]): readonly XmlNode[] {
  if (matchers.every(({ name }) => name >= 0)) {
    const names = new Set(matchers.map(({ name }) => frame.names[name] ?? -1));
    return inDocumentOrder([...names].flatMap((id) => frame.doc.named(id)));
  }
  return frame.doc.all.flatMap((element): XmlNode[] => [element, ...element.attributes]);
}

function lookUp(
  value: Code,
  index: (frame: EvaluationFrame) => ReadonlyMap<string, XmlNode[]>,
): Code {
  const values = collector(value.each);
  const depends = value.depends | DOC;
  return manyCode("node", depends, (sink) => (frame) => {
    const map = index(frame);
    const [first, ...more] = values(frame);
    if (first === undefined) return false;
    const found = map.get(toText(first)) ?? [];
    const nodes = more.length === 0
      ? found
      : inDocumentOrder([first, ...more].flatMap((item) => map.get(toText(item)) ?? []));
    return nodes.some((node) => sink(frame, node));
  });
}
