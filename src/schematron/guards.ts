import type { CompiledCheck } from "./compiled_check.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";
import type { Member, WhenAbsent } from "./xpath/when_absent.ts";

/**
 * Preconditions of the checks of a rule, stored separately for speed. Most rules about a whole document concern
 * data that it does not have. Testing a precondition is cheaper than running the check.
 */
export interface Guards {
  /** Index of the required name for each check; -1 for none. */
  readonly names: Int32Array;
  /** Number of the list in `lists` that must have the text, for each check; -1 for none. */
  readonly members: Int32Array;
  readonly texts: readonly string[];
  readonly lists: readonly Member["of"][];
}

export function newGuards(checks: readonly Pick<CompiledCheck, "unless">[]): Guards | undefined {
  const unless = checks.map((it): Partial<WhenAbsent> => it.unless ?? {});
  if (unless.every(({ needs, member }) => !needs?.length && member === undefined)) return undefined;
  const lists = [...new Set(unless.flatMap(({ member }) => member?.of ?? []))];
  return {
    names: Int32Array.from(unless, ({ needs }) => needs?.[0] ?? -1),
    members: Int32Array.from(unless, ({ member }) => member ? lists.indexOf(member.of) : -1),
    texts: unless.map(({ member }) => member?.text ?? ""),
    lists,
  };
}

/** Checks that the check with this index cannot fire. */
export function isIdle(
  { names, members, texts, lists }: Guards,
  at: number,
  frame: EvaluationFrame,
): boolean {
  const name = names[at] ?? -1;
  if (name >= 0 && (frame.names[name] ?? -1) < 0) return true;
  const list = members[at] ?? -1;
  return list >= 0 && lists[list]?.(frame).has(texts[at] ?? "") === false;
}
