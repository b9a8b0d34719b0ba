import { assertEquals } from "@std/assert";
import { toCommon, toReadable } from "#src/console/components/finding_subject.ts";

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
