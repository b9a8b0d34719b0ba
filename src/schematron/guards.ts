import type { CompiledCheck } from "./compile_schema.ts";
import type { Frame } from "./xpath/frame.ts";
import type { Member, WhenAbsent } from "./xpath/when_absent.ts";

/**
 * What must be there before the checks of a rule can fire, apart from them: most rules about a whole document speak of
 * what it does not have, and to look at their closures would cost more than to know.
 */
export interface Guards {
  /** By check the index of a name the document must have; -1 for none. */
  readonly names: Int32Array;
  /** By check the number of a list in `lists` that must have its text; -1 for none. */
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

/** Whether the check at this place cannot fire. */
export function isIdle(
  { names, members, texts, lists }: Guards,
  at: number,
  frame: Frame,
): boolean {
  const name = names[at] ?? -1;
  if (name >= 0 && (frame.names[name] ?? -1) < 0) return true;
  const list = members[at] ?? -1;
  return list >= 0 && lists[list]?.(frame).has(texts[at] ?? "") === false;
}
