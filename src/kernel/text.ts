/** Lower case without accents, so that `helios` finds `Hélios`. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The text as a LIKE pattern that matches it anywhere and literally. */
export function likeAnywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
