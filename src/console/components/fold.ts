/** Converts to small letters without accents and ligatures and with plain spaces, for comparisons with typed text. */
export function foldText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").toLowerCase()
    .replaceAll("œ", "oe").replaceAll("æ", "ae");
}
