/** What is wrong with something a person gave, in both languages: `invalid` is malformed, `refused` makes no sense. */
export interface Flaw {
  readonly code: "invalid" | "refused";
  readonly fr: string;
  readonly en: string;
}

export function refused(fr: string, en: string): Flaw {
  return { code: "refused", fr, en };
}
