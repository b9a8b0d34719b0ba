import { Document } from "yaml";
import { isSame } from "./align.ts";
import { editsFor } from "./edits.ts";
import { type Parsed, readYaml } from "./read.ts";
import { applyEdits, Unfit } from "./render.ts";

/**
 * Writes a value by edits of the parts that differ. The result is read again and compared, so that an unexpected
 * construct costs comments and never the value.
 */
export function writeYaml(text: string, value: unknown): string {
  const wanted = asJson(value);
  const before = readYaml(text);
  if (!before.problems.length && isSame(before.value, wanted)) return text;
  const edited = before.problems.length ? undefined : edit(text, { before, wanted });
  if (edited !== undefined) {
    const after = readYaml(edited);
    if (!after.problems.length && isSame(after.value, wanted)) return edited;
  }
  return rewriteText(before, wanted);
}

function edit(
  text: string,
  { before, wanted }: { before: Parsed; wanted: unknown },
): string | undefined {
  try {
    return applyEdits(text, editsFor(text, before.document, wanted));
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

/** Writes a new text under the first comment of the old one, as the last resort. */
function rewriteText(before: Parsed, wanted: unknown): string {
  const document = new Document(wanted, { aliasDuplicateObjects: false });
  const comment = before.document.commentBefore;
  if (comment) document.commentBefore = comment;
  return document.toString({ lineWidth: 0 });
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
