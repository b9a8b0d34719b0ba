import type { Language } from "#src/kernel/language.ts";
import { type ReasonDefinition, REASONS } from "./reason_catalogue.ts";

const BY_CODE: ReadonlyMap<string, ReasonDefinition> = new Map(REASONS.map((r) => [r.code, r]));

/** Returns the reason; undefined for a code outside the catalogue, which is stored nevertheless. */
export function findReason(code: string): ReasonDefinition | undefined {
  return BY_CODE.get(code.trim());
}

/** Returns the label of a reason; an unknown code is its own label. */
export function reasonLabel(code: string, language: Language): string {
  return findReason(code)?.[language] ?? code;
}

/** Returns the reasons that the published list allows for a national status (MDT-113 of BR-FR-CDV), if any. */
export function reasonsFor(national: string, publicBuyer = false): readonly ReasonDefinition[] {
  const listed = REASONS.filter((reason) => reason.scope === "invoice");
  if (national === "210" && publicBuyer) return listed.filter((reason) => reason.publicRefusal);
  return listed.filter((reason) => reason.statuses.includes(national));
}

/** Returns the code where a text is a reason's code and nothing else, as a person may write it. */
export function reasonCodeIn(text: string): string | undefined {
  return findReason(text.trim())?.code;
}
