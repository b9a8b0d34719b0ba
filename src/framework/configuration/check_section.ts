import { computeSha256 } from "#src/kernel/sha256.ts";
import { collectLinks } from "#src/definitions/links.ts";
import { findPack, getSchema, type SectionName } from "#src/definitions/sections.ts";
import { type ValuePath, withoutOwnKeys } from "#src/definitions/walk.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { CheckedSection, ConfigurationProblem } from "#src/ports/configuration.ts";
import type { TextPosition, Yaml } from "#src/ports/yaml.ts";
import { describeIssues } from "./issues.ts";
import { maskedValue } from "./secrets.ts";

const MAX_TEXT = 2 * 1024 * 1024;

const NOTHING = { parsed: undefined, definitions: [], references: [], groups: [] };

/** Parses one section and validates it against its schema. References are checked later, with all sections. */
export function checkSection(
  { yaml }: { readonly yaml: Yaml },
  { name, text }: { name: SectionName; text: string },
): CheckedSection {
  checkSize(name, text);
  const { value, problems: unreadable, problemCount, placeOf } = yaml.read(text);
  const base = { name, text, tag: tagOfText(text), value };
  if (problemCount) {
    const problems = unreadable.map((it) => ({ ...it, section: name }));
    return { ...base, ...NOTHING, problems: withCount(problems, problemCount) };
  }
  const schema = getSchema(name);
  const own = withoutOwnKeys(schema, value);
  const result = schema.safeParse(own);
  const shown = result.success ? own : maskedValue(name, own);
  const issues = describeIssues(result.error?.issues ?? [], { schema, value: shown });
  const problems = issues.described.map(({ path, on, sentence }) => ({
    section: name,
    path,
    ...placeOf(path, on),
    sentence,
  }));
  if (problems.length) {
    // Limit of problems per value, which also bounds the data sent between processes.
    const shownValue = issues.count > problems.length ? undefined : value;
    const counted = withCount(problems, issues.count);
    return { ...base, ...NOTHING, value: shownValue, problems: counted };
  }
  const locate = <L extends { path: ValuePath; on: "key" | "value" }>(links: readonly L[]) =>
    links.map((it) => ({ ...it, ...placeOf(it.path, it.on) }));
  const { definitions, references, groups } = collectLinks(schema, own);
  return {
    ...base,
    parsed: result.data,
    definitions: locate(definitions).map((it) =>
      it.kind === "query" ? { ...it, sqlAt: placeOf([...it.path, "sql"]) } : it
    ),
    references: locate(references),
    groups: locate(groups),
    problems: strayLanguage({ name, value, place: placeOf(["language"]) }),
  };
}

/** Adds an entry that counts the problems beyond those that are described. */
function withCount(
  problems: readonly ConfigurationProblem[],
  count: number,
): readonly ConfigurationProblem[] {
  const others = count - problems.length;
  const last = problems.at(-1);
  if (others <= 0 || !last) return problems;
  const sentence = say`At least ${others} other problems are not listed`;
  return [...problems, { ...last, path: [], sentence, others }];
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
  return computeSha256(text).slice(0, 16);
}

function strayLanguage(
  { name, value, place }: { name: SectionName; value: unknown; place: TextPosition },
): ConfigurationProblem[] {
  const language = findPack(name)?.language;
  const said = (value as { language?: unknown }).language;
  if (language === undefined || said === language) return [];
  const sentence = say`${name} is the pack of ${language}, and says that it is of ${said}`;
  return [{ section: name, path: ["language"], ...place, sentence }];
}
