/** A fenced block of commands in a page, with the word behind `sh`. */
export interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The blocks of commands of a page. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].map((
    [, name = "", text = ""],
  ) => ({ name, lines: text.split("\n").filter(Boolean) }));
}

/** The lines of a Dockerfile as instructions, continued lines joined. */
export function instructionsOf(
  dockerfile: string,
): { readonly word: string; readonly rest: string }[] {
  return dockerfile.replaceAll(/\\\n\s*/g, "").split("\n")
    .map((it) => /^([A-Z]+) +(.*)$/.exec(it)).filter((it) => it !== null)
    .map(([, word = "", rest = ""]) => ({ word, rest }));
}
