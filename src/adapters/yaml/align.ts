import { isDeepStrictEqual } from "node:util";

/**
 * Matches the items of a list after a change with those before. For each new item it returns the position of the
 * old one, or undefined. Positions only rise, so that no item has to move.
 */
export function alignItems(
  before: readonly unknown[],
  after: readonly unknown[],
): (number | undefined)[] {
  const names = new Map<string, number[]>();
  for (let at = before.length - 1; at >= 0; at--) {
    const name = getIdentity(before[at]);
    const known = names.get(name);
    if (known) known.push(at);
    else names.set(name, [at]);
  }
  const same = after.map((it) => names.get(getIdentity(it))?.pop());
  const kept = rising(same);
  fillGaps(kept, before.length);
  return kept;
}

/** Maps the position of each old item that stays to its new position: the inverse of `alignItems`. */
export function positionsAfter(
  places: readonly (number | undefined)[],
): ReadonlyMap<number | undefined, number> {
  return new Map(places.map((place, at) => [place, at]));
}

const NAMES = ["id", "name", "field", "key", "value", "param"];

/** Returns the identity of an item among its neighbours: its name, or else all of it. */
function getIdentity(item: unknown): string {
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    const record = item as Readonly<Record<string, unknown>>;
    const name = NAMES.find((it) =>
      typeof record[it] === "string" || typeof record[it] === "number"
    );
    if (name !== undefined) return `${name} ${record[name]}`;
  }
  return JSON.stringify(item) ?? "";
}

/** Keeps the longest rising sequence of numbers; the others become undefined. */
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

/** Matches items between two unchanged ones: the remaining old ones become the remaining new ones. */
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

/** Compares two values deeply. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
