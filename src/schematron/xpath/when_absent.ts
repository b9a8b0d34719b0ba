import type { XmlShape } from "#src/xml/mod.ts";
import type { EvaluationFrame } from "./frame.ts";

/** Child steps by name that lead from the context node to nodes; `exact` without further conditions on them. */
export interface Chain {
  readonly names: readonly number[];
  readonly exact: boolean;
  /** Shapes of the elements where the steps start, if they start from a list of the document. */
  readonly from?: ((frame: EvaluationFrame) => readonly XmlShape[]) | undefined;
}

/** Effective boolean value that follows from the absence of certain nodes, without evaluation. */
export interface WhenAbsent {
  readonly value: boolean;
  /** They are not where it leads nowhere. */
  readonly chain: Chain | undefined;
  /** Names without which the nodes are absent (`Code.needs`). */
  readonly needs: readonly number[];
  /** Nor is a text in a list kept for the document. */
  readonly member?: Member;
}

export interface Member {
  readonly of: (frame: EvaluationFrame) => ReadonlySet<string>;
  readonly text: string;
}

/** Returns `value` as the result without these nodes; undefined if their absence cannot be detected. */
export function valueWithout(
  { chain, needs }: Pick<WhenAbsent, "chain" | "needs">,
  value: boolean,
): WhenAbsent | undefined {
  return chain === undefined && needs.length === 0 ? undefined : { value, chain, needs };
}

/** Returns the same with the opposite value. */
export function negate(absent: WhenAbsent | undefined): WhenAbsent | undefined {
  return absent === undefined ? undefined : { ...absent, value: !absent.value };
}
