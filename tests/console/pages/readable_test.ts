import { assertEquals } from "@std/assert";
import { withoutLastAttempt, withoutRemarks } from "#src/console/components/pa_remarks.ts";
import { toCommon, toFigures, toReadable } from "#src/console/components/finding_subject.ts";

Deno.test("messages lose their codes, counts as expected, and long rows of digits", () => {
  const french =
    "Le total TTC (BT-112) doit être le total HT (BT-109) augmenté de la TVA (BT-110). Hors TVA 6009,99 + TVA 1202,00 (totaux de TVA en EUR : 1, attendu : 1) = 7211,99 ; BT-112 indique 99,99.";
  assertEquals(
    toReadable(french),
    "Le total TTC doit être le total HT augmenté de la TVA. Hors TVA 6\u202f009,99 + TVA 1\u202f202,00 = 7\u202f211,99 ; la facture indique 99,99.",
  );
  assertEquals(
    toReadable("Without VAT 6009.99 (VAT totals in EUR: 2, expected: 1)."),
    [
      "Without VAT 6,009.99 (VAT totals in EUR: 2, expected: 1).",
    ].join(),
  );
  assertEquals(toReadable("on 2026.11.05, flow 1234.5678"), "on 2026.11.05, flow 1234.5678");
});

Deno.test("a cause of several invoices leaves out the sums of one", () => {
  const rule = "Le total TTC doit être le total HT augmenté de la TVA.";
  const message = `${rule} Hors TVA 6009,99 + TVA 1202,00 = 7211,99 ; BT-112 indique 99,99.`;
  assertEquals(toCommon(message, 2), rule);
  assertEquals(toCommon(message, 1), message);
});

Deno.test("a row begins with the sums of its invoice", () => {
  const rule = "Le total TTC doit être le total HT augmenté de la TVA.";
  const figures = "Hors TVA 9,99 + TVA 2,00 = 11,99 ; la facture indique 99,99.";
  assertEquals(toFigures(`${rule} ${figures}`), `${figures} ${rule}`);
  assertEquals(toFigures("The buyer has no name."), "The buyer has no name.");
});

Deno.test("the answer of a PA loses the remarks of the product", () => {
  const answer = "Le compte n'a pas le droit d'émettre";
  const search = " ; une recherche, faite pour comparer : sandbox : HTTP 500 Something broke";
  const last = "\u00a0; la tentative 12 était la dernière";
  for (const it of ["", search, last, search + last]) {
    assertEquals(withoutRemarks(answer + it), answer, it);
  }
  const remarks = "; a search, made to compare: sandbox: HTTP 500 x; attempt 12 was the last one";
  assertEquals(withoutRemarks(`Closed${remarks}`), "Closed");
  assertEquals(withoutLastAttempt(answer + last), answer);
});
