/** Decimal comparisons of 1.4.0.04: the published rules stop at an amount that is no decimal number. */

import type { Assertion } from "../../br-fr-flux2-ubl/build/schema.ts";

interface Amounts {
  /** XPaths of single amounts. */
  readonly single: readonly string[];
  /** XPaths of any number of amounts. */
  readonly several?: readonly string[];
  /** True if the published rules also stop at a missing amount. */
  readonly stopsAtMissing: boolean;
}

/**
 * Returns a test that compares decimals and fails where the published rules stop. The explanation then says
 * so: an aborted rule set must never read as "no finding".
 */
export function decimalTest(
  amounts: Amounts,
  comparison: string,
): Required<Pick<Assertion, "test" | "why">> {
  const stops = stopsAt(amounts);
  const only = (sentence: string) => `{if (${stops}) then '${sentence}' else ''}`;
  return {
    test: `(if (${stops}) then false() else ${comparison})`,
    why: {
      en: only(
        "The rules published as 1.4.0.04 stop at this amount, which is missing or is not a decimal number. Passerelle gives the finding of 1.4.0.03.",
      ),
      fr: only(
        "Les règles publiées en version 1.4.0.04 s’arrêtent sur ce montant, qui manque ou n’est pas un nombre décimal. Passerelle donne l’anomalie de la version 1.4.0.03.",
      ),
    },
  };
}

/** Returns the sum of amounts as decimals. */
export function decimalSum(amounts: string): string {
  return `sum(for $amount in ${amounts} return xs:decimal($amount))`;
}

function stopsAt({ single, several = [], stopsAtMissing }: Amounts): string {
  const isOther = (amounts: string) => `exists((${amounts})[not(. castable as xs:decimal)])`;
  return [
    ...single.map((it) => stopsAtMissing ? `not(${it} castable as xs:decimal)` : isOther(it)),
    ...several.map(isOther),
  ].join(" or ");
}
