/** Converts to small letters without accents and with plain spaces, for comparisons with typed text. */
export function foldText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").toLowerCase();
}
