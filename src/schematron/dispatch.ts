import type { XmlNode } from "#src/xml/mod.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";
import type { CompiledPattern, CompiledRule } from "./compiled_rule.ts";
import { type Matcher, ON_ATTRIBUTE, ON_DOCUMENT, ON_ELEMENT, ON_OTHER } from "./match.ts";

/** One alternative of one rule. */
interface Candidate extends Pick<Matcher, "structure" | "condition"> {
  readonly rule: CompiledRule;
}

/** The rules of one pattern that may match a kind of node, in order: the first that matches wins. */
export interface RuleCandidates {
  readonly pattern: number;
  readonly candidates: readonly Candidate[];
}

/** Index of the rules that may apply to a node. */
export interface Dispatch {
  /** Rules by index of the element name; other names use `otherElements`. */
  readonly byName: ReadonlyMap<number, readonly RuleCandidates[]>;
  readonly otherElements: readonly RuleCandidates[];
  readonly attributes: readonly RuleCandidates[];
  readonly documents: readonly RuleCandidates[];
  readonly others: readonly RuleCandidates[];
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
): RuleCandidates[] {
  return patterns.flatMap(({ rules }, pattern) => {
    const candidates = rules.flatMap((rule) =>
      rule.matchers.filter(fits).map(({ structure, condition }) => ({ rule, structure, condition }))
    );
    return candidates.length === 0 ? [] : [{ pattern, candidates }];
  });
}

/** Returns the choices left for nodes built like this one; a candidate without condition ends its list. */
export function choicesFor(
  frame: EvaluationFrame,
  node: XmlNode,
  choices: readonly RuleCandidates[],
): RuleCandidates[] {
  const left: RuleCandidates[] = [];
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
