import type { SectionTexts } from "#src/ports/section_texts.ts";

/**
 * Characters above which a text goes to a child process. It takes about 20 ms on an idle core, ten times that in a new
 * process.
 */
const LARGE = 8 * 1024;

/**
 * Processes small texts in this process and large ones in a child, so that saving settings delays no other user. A
 * failure of the child is returned to the caller.
 */
export function textsBySize(
  { here, beside }: { here: SectionTexts; beside: SectionTexts },
): SectionTexts {
  const placeFor = (size: number) => size < LARGE ? here : beside;
  return {
    check: (section) => placeFor(section.text.length).check(section),
    value: (text) => placeFor(text.length).value(text),
    write: (text, value) =>
      placeFor(text.length + String(JSON.stringify(value)).length).write(text, value),
    splice: (text, edits) => placeFor(text.length).splice(text, edits),
  };
}
