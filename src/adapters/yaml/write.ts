import { Document } from "yaml";
import { isSame } from "./align.ts";
import { editsFor } from "./edits.ts";
import { readYaml } from "./read.ts";
import { applied, Unfit } from "./render.ts";

/**
 * By edits of the places that differ; what they made is read again and compared, so that a construction nobody thought
 * of costs comments and never the value.
 */
export function writeYaml(text: string, value: unknown): string {
  const wanted = asJson(value);
  const before = readYaml(text);
  if (!before.problems.length && isSame(before.value, wanted)) return text;
  const edited = before.problems.length ? undefined : edit(text, wanted);
  if (edited !== undefined) {
    const after = readYaml(edited);
    if (!after.problems.length && isSame(after.value, wanted)) return edited;
  }
  return rewritten(text, wanted);
}

function edit(text: string, wanted: unknown): string | undefined {
  try {
    return applied(text, editsFor(text, readYaml(text).document, wanted));
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

/** The last resort: a new text under the old one's first comment. */
function rewritten(text: string, wanted: unknown): string {
  const document = new Document(wanted, { aliasDuplicateObjects: false });
  const comment = readYaml(text).document.commentBefore;
  if (comment) document.commentBefore = comment;
  return document.toString({ lineWidth: 0 });
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
