import { isDeepStrictEqual } from "node:util";

/**
 * Matches the items of a list after a change with those before: for each new item the position of the old one it is,
 * or undefined. Positions only rise, so that no item has to move.
 */
export function aligned(
  before: readonly unknown[],
  after: readonly unknown[],
): (number | undefined)[] {
  const names = new Map<string, number[]>();
  for (let at = before.length - 1; at >= 0; at--) {
    const name = identityOf(before[at]);
    const known = names.get(name);
    if (known) known.push(at);
    else names.set(name, [at]);
  }
  const same = after.map((it) => names.get(identityOf(it))?.pop());
  const kept = rising(same);
  fillGaps(kept, before.length);
  return kept;
}

const NAMES = ["id", "name", "field", "key", "value", "param"];

/** What tells an item from its neighbours: its name where it has one, else all of it. */
function identityOf(item: unknown): string {
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    const record = item as Readonly<Record<string, unknown>>;
    const name = NAMES.find((it) =>
      typeof record[it] === "string" || typeof record[it] === "number"
    );
    if (name !== undefined) return `${name} ${record[name]}`;
  }
  return JSON.stringify(item) ?? "";
}

/** The longest rising row of numbers stays, the others are no longer known. */
function rising(found: readonly (number | undefined)[]): (number | undefined)[] {
  const ends: number[] = []; // place of the smallest end of a row of each length
  const previous = new Map<number, number | undefined>();
  found.forEach((value, at) => {
    if (value === undefined) return;
    let length = 0;
    for (let past = ends.length; length < past;) { // their values rise: halved until one is left
      const middle = (length + past) >> 1;
      if ((found[ends[middle] ?? 0] ?? 0) >= value) past = middle;
      else length = middle + 1;
    }
    previous.set(at, ends[length - 1]);
    ends[length] = at;
  });
  const kept = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) kept.add(at);
  return found.map((value, at) => kept.has(at) ? value : undefined);
}

/** Between two items that stay, what is left of the old ones is taken to have become what is left of the new. */
function fillGaps(kept: (number | undefined)[], length: number): void {
  const used = new Set(kept.filter((it) => it !== undefined));
  const limits: number[] = [];
  kept.reduceRight<number>((next, it, at) => limits[at] = it ?? next, length);
  let from = 0;
  for (let at = 0; at < kept.length; at++) {
    const value = kept[at];
    if (value !== undefined) {
      from = value + 1;
      continue;
    }
    const limit = limits[at] ?? length;
    if (from < limit && !used.has(from)) kept[at] = from++;
  }
}

/** Whether two values are equal, however deep. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
