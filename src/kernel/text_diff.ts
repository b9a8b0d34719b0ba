import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Limits the edits that a comparison looks for: its work grows with their square. */
const MAX_EDITS = 1_000;

/** Returns the change as `diff -u` prints it; empty without a change. */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return "";
  const patch = (from: string, to: string) =>
    createTwoFilesPatch(`a/${name}`, `b/${name}`, from, to, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: MAX_EDITS,
    });
  return patch(before, after) ?? replacementDiff(name, before, after);
}

/** Shows texts with too many differences as one text replaced by the other. */
function replacementDiff(name: string, before: string, after: string): string {
  const [removed, added] = [signLines("-", before), signLines("+", after)];
  const range = (lines: string[]) => `${lines.length ? 1 : 0},${lines.length}`;
  const hunk = `@@ -${range(removed)} +${range(added)} @@`;
  return [`--- a/${name}`, `+++ b/${name}`, hunk, ...removed, ...added].join("\n") + "\n";
}

function signLines(sign: "-" | "+", text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop();
  const signed = lines.map((line) => sign + line);
  return last ? [...signed, `${sign}${last}\n\\ No newline at end of file`] : signed;
}
