/** Languages of the product: labels, findings, errors and renderings. */
export const LANGUAGES = ["fr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
