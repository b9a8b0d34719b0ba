/** Returns a generated page of `docs/reference` with its origin. */
export function page(title: string, source: string, lines: readonly string[]): string {
  const origin = `\`deno task reference\` writes this page ${source}.`;
  return `${[`# ${title}`, "", origin, "", ...lines].join("\n").trimEnd()}\n`;
}

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((it) => it.replaceAll("\n", " ").replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)];
}

export function code(it: string): string {
  return `\`${it}\``;
}

/** Writes a clause of the product as a sentence of a page. */
export function toSentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}
