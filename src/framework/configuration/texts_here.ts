import type { SectionTexts } from "#src/ports/section_texts.ts";
import type { Yaml } from "#src/ports/yaml.ts";
import { checkSection } from "./check_section.ts";

/** Checks sections in this process and blocks it: about a millisecond per kilobyte, more under load. */
export function textsHere(yaml: Yaml): SectionTexts {
  return {
    check: (section) => attempt(() => checkSection({ yaml }, section)),
    value: (text) =>
      attempt(() => {
        const { value, problems } = yaml.read(text);
        return problems.length ? undefined : value;
      }),
    write: (text, value) => attempt(() => yaml.write(text, value)),
    splice: (text, edits) => attempt(() => yaml.splice(text, edits)),
  };
}

function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
