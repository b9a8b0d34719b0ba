import type { Chain, Code } from "./code.ts";
import type { Frame } from "./frame.ts";

/** What the effective boolean value is, known without a look, where certain nodes cannot be there. */
export interface WhenAbsent {
  readonly value: boolean;
  /** They are not where it leads nowhere. */
  readonly chain: Chain | undefined;
  /** They are not where the document lacks one of these names (`Code.needs`). */
  readonly needs: readonly number[];
  /** Nor is a text in a list kept for the document. */
  readonly member?: Member;
}

export interface Member {
  readonly of: (frame: Frame) => ReadonlySet<string>;
  readonly text: string;
}

/** `value` where there are none of these nodes; undefined where nothing tells so. */
export function valueWithout(
  { chain, needs }: Pick<Code, "chain" | "needs">,
  value: boolean,
): WhenAbsent | undefined {
  return chain === undefined && needs.length === 0 ? undefined : { value, chain, needs };
}

/** As `valueWithout`, about the opposite value. */
export function denied(absent: WhenAbsent | undefined): WhenAbsent | undefined {
  return absent === undefined ? undefined : { ...absent, value: !absent.value };
}
