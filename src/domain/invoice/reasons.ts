import type { Language } from "#src/kernel/language.ts";
import { type ReasonDefinition, REASONS } from "./reason_catalogue.ts";

const BY_CODE: ReadonlyMap<string, ReasonDefinition> = new Map(REASONS.map((r) => [r.code, r]));

/** Undefined for a code outside the catalogue; such codes are kept all the same. */
export function reasonOf(code: string): ReasonDefinition | undefined {
  return BY_CODE.get(code.trim());
}

/** An unknown code is its own label. */
export function reasonLabel(code: string, language: Language): string {
  return reasonOf(code)?.[language] ?? code;
}

/** The reasons a message may give with this national status; all of them when the status has no list of its own. */
export function reasonsFor(national: string, publicBuyer = false): readonly ReasonDefinition[] {
  const listed = REASONS.filter((reason) => reason.scope === "invoice");
  if (national === "210" && publicBuyer) return listed.filter((reason) => reason.publicRefusal);
  const own = listed.filter((reason) => reason.statuses.includes(national));
  return own.length > 0 ? own : listed;
}

/** The code where a text is a reason's code and nothing else, as a person may write it. */
export function reasonCodeIn(text: string): string | undefined {
  return reasonOf(text.trim())?.code;
}
