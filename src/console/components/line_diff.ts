import { structuredPatch } from "diff";

/** Lines around what changed. */
const CONTEXT = 3;
/** Beyond so many lines taken away or added, as on the server, the whole counts as replaced: the work grows with their square. */
const MOST_EDITS = 1_000;

/** What became of a text, as a unified diff without names of files; empty where nothing did. */
export function lineDiff(before: string, after: string): string {
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_EDITS,
  });
  if (!patch) return replaced(before, after);
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n")
  ).join("\n");
}

function replaced(before: string, after: string): string {
  const [old, now] = [before, after].map((it) => it.replace(/\n$/, "").split("\n"));
  const lines = [...(old ?? []).map((it) => `-${it}`), ...(now ?? []).map((it) => `+${it}`)];
  return [`@@ -1,${old?.length} +1,${now?.length} @@`, ...lines].join("\n");
}
