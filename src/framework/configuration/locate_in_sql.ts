import type { CheckedSection, LocatedDefinition } from "#src/ports/configuration.ts";
import type { TextPosition } from "#src/ports/yaml.ts";

/** Lines of a section, split once: thousands of queries may have problems. */
const lines = new WeakMap<object, readonly string[]>();

/**
 * Returns the position of a character of a query's SQL in the text of its section. For a folded text, whose lines
 * differ from those of the SQL, it is the position of the value; without an offset, that of the query's name.
 */
export function locateInSql(
  section: CheckedSection,
  { value, sqlAt, line, column }: LocatedDefinition,
  offset: number | undefined,
): TextPosition {
  const sql = (value as { sql?: unknown } | null)?.sql;
  if (offset === undefined || !sqlAt || typeof sql !== "string") return { line, column };
  const text = lines.get(section) ?? section.text.split("\n");
  lines.set(section, text);
  const before = sql.slice(0, offset).split("\n");
  const own = sql.split("\n")[before.length - 1] ?? "";
  const isBlock = /^[|>]/.test((text[sqlAt.line - 1] ?? "").slice(sqlAt.column - 1));
  const at = sqlAt.line + before.length - 1 + (isBlock ? 1 : 0);
  const from = isBlock || before.length > 1 ? 0 : sqlAt.column - 1;
  const start = own === "" ? -1 : (text[at - 1] ?? "").indexOf(own, from);
  return start < 0 ? sqlAt : { line: at, column: start + 1 + (before.at(-1) ?? "").length };
}
