import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import type { CdarEvent, CdarReason } from "./model.ts";

/** Amounts collected (type MEN), one per VAT rate as the message gives them. */
export function collectedAmounts(event: Pick<CdarEvent, "reasons">): readonly RateAmount[] {
  return getAmounts(event, ["MEN"]);
}

/** Amounts paid (type MPA) or collected. */
export function paymentAmounts(event: Pick<CdarEvent, "reasons">): readonly RateAmount[] {
  return getAmounts(event, ["MPA", "MEN"]);
}

function getAmounts({ reasons }: Pick<CdarEvent, "reasons">, types: readonly string[]) {
  return reasons.flatMap((reason) => reason.amounts ?? []).flatMap((datum) =>
    types.includes(datum.type ?? "") && datum.amount !== undefined && datum.rate !== undefined
      ? [{ amount: datum.amount, currency: datum.currency ?? "EUR", rate: datum.rate }]
      : []
  );
}

/**
 * Returns the part of a message that states the amounts collected or paid. 212 carries amount and rate in each
 * (BR-FR-CDV-14), 211 the amounts paid.
 */
export function amountsReason(
  amounts: readonly RateAmount[],
  what: "collected" | "paid",
): CdarReason {
  const type = what === "paid" ? "MPA" : "MEN";
  return { amounts: amounts.map((one) => ({ type, ...one })) };
}
