/** French VAT applies there: mainland France, Guadeloupe, Martinique, Réunion, and Monaco (by treaty). */
const VAT_TERRITORY: ReadonlySet<string> = new Set(["FR", "GP", "MQ", "RE", "MC"]);

/** French, but outside the territory of French VAT: a buyer there is cross-border. */
const OVERSEAS: ReadonlySet<string> = new Set(
  ["GF", "YT", "BL", "MF", "PM", "PF", "WF", "TF", "NC"],
);

/** Returns true for a country (ISO 3166-1) where French VAT applies. */
export function isDomestic(country: string | undefined): boolean {
  return VAT_TERRITORY.has(country ?? "");
}

/** Returns true where a company has a SIREN although French VAT does not apply. */
export function isOverseas(country: string | undefined): boolean {
  return OVERSEAS.has(country ?? "");
}
