import type { XmlNode } from "#src/xml/mod.ts";
import type { Frame } from "./xpath/frame.ts";
import type { CompiledPattern, CompiledRule } from "./compile_schema.ts";
import { type Matcher, ON_ATTRIBUTE, ON_DOCUMENT, ON_ELEMENT, ON_OTHER } from "./match.ts";

/** One alternative of one rule. */
interface Candidate extends Pick<Matcher, "structure" | "condition"> {
  readonly rule: CompiledRule;
}

/** The rules of one pattern that may match a kind of node, in order: the first that matches wins. */
export interface Choice {
  readonly pattern: number;
  readonly candidates: readonly Candidate[];
}

/** Which rules to ask, by what is known of a node before asking. */
export interface Dispatch {
  /** By index of the element name; names not listed use `otherElements`. */
  readonly byName: ReadonlyMap<number, readonly Choice[]>;
  readonly otherElements: readonly Choice[];
  readonly attributes: readonly Choice[];
  readonly documents: readonly Choice[];
  readonly others: readonly Choice[];
}

export function planDispatch(patterns: readonly CompiledPattern[]): Dispatch {
  const names = new Set<number>();
  for (const { rules } of patterns) {
    for (const { matchers } of rules) {
      for (const { on, name } of matchers) {
        if ((on & ON_ELEMENT) !== 0 && name >= 0) names.add(name);
      }
    }
  }
  const on = (bit: number) => choices(patterns, (matcher) => (matcher.on & bit) !== 0);
  const onName = (name: number) =>
    choices(
      patterns,
      (matcher) => (matcher.on & ON_ELEMENT) !== 0 && (matcher.name < 0 || matcher.name === name),
    );
  return {
    byName: new Map([...names].map((name) => [name, onName(name)])),
    otherElements: onName(-1),
    attributes: on(ON_ATTRIBUTE),
    documents: on(ON_DOCUMENT),
    others: on(ON_OTHER),
  };
}

function choices(
  patterns: readonly CompiledPattern[],
  fits: (matcher: Matcher) => boolean,
): Choice[] {
  return patterns.flatMap(({ rules }, pattern) => {
    const candidates = rules.flatMap((rule) =>
      rule.matchers.filter(fits).map(({ structure, condition }) => ({ rule, structure, condition }))
    );
    return candidates.length === 0 ? [] : [{ pattern, candidates }];
  });
}

/** The choices left for nodes built like this one; a candidate without condition ends its list. */
export function choicesFor(frame: Frame, node: XmlNode, choices: readonly Choice[]): Choice[] {
  const left: Choice[] = [];
  for (const { pattern, candidates } of choices) {
    const fitting: Candidate[] = [];
    for (const candidate of candidates) {
      if (!candidate.structure(frame, node)) continue;
      fitting.push(candidate);
      if (candidate.condition === undefined) break;
    }
    if (fitting.length > 0) left.push({ pattern, candidates: fitting });
  }
  return left;
}
