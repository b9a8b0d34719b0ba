import type { Node, YAMLMap, YAMLSeq } from "yaml";
import { positionsAfter } from "./align.ts";
import {
  computeRange,
  type Edit,
  flowText,
  inlineScalar,
  isMap,
  isScalar,
  Unfit,
} from "./render.ts";

/** Collection in brackets, and the callback for its values. */
export interface FlowCollection {
  readonly text: string;
  readonly range: readonly [number, number];
  readonly settle: (node: Node, value: unknown) => void;
  readonly forget: (node: unknown) => void;
}

interface Member {
  readonly start: number;
  readonly end: number;
  readonly isKept: boolean;
}

/** `{ … }`: entries that stay keep their bytes. */
export function entryEdits(
  frame: FlowCollection,
  node: YAMLMap,
  value: Readonly<Record<string, unknown>>,
): Edit[] {
  const members = node.items.map((pair): Member & { name: string; value: Node } => {
    const { key } = pair;
    if (!isScalar(key) || !pair.value || hasProps(key)) throw new Unfit();
    const name = String(key.value ?? "");
    const inner = pair.value as Node;
    const isKept = Object.hasOwn(value, name);
    return { name, value: inner, start: computeRange(key)[0], end: computeRange(inner)[1], isKept };
  });
  for (const it of members) {
    if (it.isKept) frame.settle(it.value, value[it.name]);
    else frame.forget(it.value);
  }
  const names = new Set(members.map((it) => it.name));
  const added = Object.keys(value).filter((it) => !names.has(it))
    .map((it) => `${inlineScalar(it)}: ${flowText(value[it])}`);
  const last = members.findLast((it) => it.isKept);
  if (!last) throw new Unfit();
  return [
    ...removals(members),
    ...added.map((it) => ({ start: last.end, end: last.end, text: `, ${it}` })),
  ];
}

/** Edits `[ … ]`: `places` maps each new item to its old one. */
export function itemEdits(
  frame: FlowCollection,
  node: YAMLSeq,
  { value, places }: { value: readonly unknown[]; places: readonly (number | undefined)[] },
): Edit[] {
  const next = positionsAfter(places);
  const members = node.items.map((it, at): Member & { node: Node } => {
    const inner = it as Node;
    if (!inner || isMap(inner) && !frame.text.startsWith("{", computeRange(inner)[0])) {
      throw new Unfit();
    }
    if (hasProps(inner)) throw new Unfit();
    const [start, end] = computeRange(inner);
    return { node: inner, start, end, isKept: next.has(at) };
  });
  members.forEach((it, at) => {
    const index = next.get(at);
    if (index !== undefined) frame.settle(it.node, value[index]);
    else frame.forget(it.node);
  });
  const first = members.find((it) => it.isKept);
  if (!first) throw new Unfit();
  let after: number | undefined;
  const edits: Edit[] = [];
  places.forEach((place, index) => {
    const member = place === undefined ? undefined : members[place];
    if (member) after = member.end;
    else if (after === undefined) {
      edits.push({ start: first.start, end: first.start, text: `${flowText(value[index])}, ` });
    } else edits.push({ start: after, end: after, text: `, ${flowText(value[index])}` });
  });
  return [...removals(members), ...edits];
}

/**
 * Removes members with their separating comma: up to the next remaining one, or else from the last remaining one.
 */
function removals(members: readonly Member[]): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < members.length; at++) {
    const member = members[at];
    if (!member || member.isKept) continue;
    let next = at;
    while (members[next] && !members[next]?.isKept) next++;
    const following = members[next];
    const previous = members[at - 1];
    const last = members[next - 1] ?? member;
    if (following) edits.push({ start: member.start, end: following.start, text: "" });
    else if (previous) edits.push({ start: previous.end, end: last.end, text: "" });
    at = next;
  }
  return edits;
}

/** Checks for an anchor or a tag, which are before the range of a node. */
function hasProps(node: unknown): boolean {
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  return anchor !== undefined || tag !== undefined;
}
