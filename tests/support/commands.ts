/** Fenced block of commands in a page, with the word after `sh`. */
export interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Returns the blocks of commands of a page, those within lists included. */
export function getBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^( *)```sh ?(\w*)\n([\s\S]*?)^\1```$/gm)].map((
    [, , name = "", text = ""],
  ) => ({ name, lines: text.split("\n").map((it) => it.trim()).filter(Boolean) }));
}

/** Parses a Dockerfile into instructions and joins continued lines. */
export function parseInstructions(
  dockerfile: string,
): { readonly word: string; readonly rest: string }[] {
  return dockerfile.replaceAll(/\\\n\s*/g, "").split("\n")
    .map((it) => /^([A-Z]+) +(.*)$/.exec(it)).filter((it) => it !== null)
    .map(([, word = "", rest = ""]) => ({ word, rest }));
}
