import { structuredPatch } from "diff";

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/**
 * Most changed lines that are compared. Beyond it the whole text counts as replaced, as on the server: the work
 * grows with their square.
 */
const MAX_EDITS = 1_000;

/** Returns a unified diff without file names; empty if nothing changed. */
export function lineDiff(before: string, after: string): string {
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return replaceLine(before, after);
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n")
  ).join("\n");
}

function replaceLine(before: string, after: string): string {
  const [old, now] = [before, after].map((it) => it.replace(/\n$/, "").split("\n"));
  const lines = [...(old ?? []).map((it) => `-${it}`), ...(now ?? []).map((it) => `+${it}`)];
  return [`@@ -1,${old?.length} +1,${now?.length} @@`, ...lines].join("\n");
}
