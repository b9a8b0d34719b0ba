import { cell } from "./tables.ts";
import { readRows } from "./lists.ts";

/** Returns the rules of the norm that a profile drops, from its `dropped.tsv`. */
export function droppedRules(table: URL): ReadonlySet<string> {
  return new Set(readRows(Deno.readTextFileSync(table)).map((row) => cell(row, "id")));
}

/** Returns the part of the norm's entry schema before its rules, with the title and version of a profile. */
export function getHead(norm: URL, { title, version }: { title: string; version: string }): string {
  const schema = Deno.readTextFileSync(norm);
  return schema.slice(0, schema.indexOf("  <include "))
    .replace(/ schemaVersion="[^"]*"/, ` schemaVersion="${version}"`)
    .replace(/<title>[^<]*<\/title>/, `<title>${title}</title>`)
    .trimEnd();
}

/** Writes files by their paths in a folder. */
export async function writeFiles(folder: URL, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, content] of files) {
    const target = new URL(path, folder);
    await Deno.mkdir(new URL("./", target), { recursive: true });
    await Deno.writeTextFile(target, content);
  }
}
