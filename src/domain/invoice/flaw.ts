/** Flaw of a user's input, in both languages: `invalid` is malformed, `createFlaw` makes no sense. */
export interface Flaw {
  readonly code: "invalid" | "refused";
  readonly fr: string;
  readonly en: string;
}

export function createFlaw(fr: string, en: string): Flaw {
  return { code: "refused", fr, en };
}
