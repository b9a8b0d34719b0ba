import { createHash } from "node:crypto";
import { linksOf } from "#src/definitions/links.ts";
import { packOf, schemaOf, type SectionName } from "#src/definitions/sections.ts";
import { type Path, withoutOwnKeys } from "#src/definitions/walk.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { CheckedSection, Problem } from "#src/ports/configuration.ts";
import type { Place, Yaml } from "#src/ports/yaml.ts";
import { describeIssue } from "./issues.ts";
import { maskedValue } from "./secrets.ts";

const MAX_TEXT = 2 * 1024 * 1024;

const NOTHING = { parsed: undefined, definitions: [], references: [], groups: [] };

/** Parses one section and holds it against its schema; what it refers to is checked with the others. */
export function checkSection(
  { yaml }: { readonly yaml: Yaml },
  { name, text }: { name: SectionName; text: string },
): CheckedSection {
  checkSize(name, text);
  const { value, problems: unreadable, placeOf } = yaml.read(text);
  const base = { name, text, tag: tagOfText(text), value };
  const problems: Problem[] = unreadable.map((it) => ({ ...it, section: name }));
  if (problems.length) return { ...base, ...NOTHING, problems };
  const schema = schemaOf(name);
  const own = withoutOwnKeys(schema, value);
  const result = schema.safeParse(own);
  const shown = result.success ? own : maskedValue(name, own);
  for (const issue of result.error?.issues ?? []) {
    for (const { path, on, sentence } of describeIssue(issue, { schema, value: shown })) {
      problems.push({ section: name, path, ...placeOf(path, on), sentence });
    }
  }
  if (problems.length) return { ...base, ...NOTHING, problems };
  const placed = <L extends { path: Path; on: "key" | "value" }>(links: readonly L[]) =>
    links.map((it) => ({ ...it, ...placeOf(it.path, it.on) }));
  const { definitions, references, groups } = linksOf(schema, own);
  return {
    ...base,
    parsed: result.data,
    definitions: placed(definitions),
    references: placed(references),
    groups: placed(groups),
    problems: strayLanguage({ name, value, place: placeOf(["language"]) }),
  };
}

/** Throws AppError for what no section may be: too much, or no text at all. */
export function checkSize(name: SectionName, text: string): void {
  if (text.length > MAX_TEXT) {
    throw new AppError(
      "too_large",
      say`The section ${name} has ${text.length} characters; ${MAX_TEXT} are allowed`,
    );
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new AppError("refused", say`The section ${name} holds characters that are no text`);
  }
}

export function tagOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function strayLanguage(
  { name, value, place }: { name: SectionName; value: unknown; place: Place },
): Problem[] {
  const language = packOf(name)?.language;
  const said = (value as { language?: unknown }).language;
  if (language === undefined || said === language) return [];
  const sentence = say`${name} is the pack of ${language}, and says that it is of ${said}`;
  return [{ section: name, path: ["language"], ...place, sentence }];
}
