import { assertEquals } from "@std/assert";
import { computeCollectable, findExcess } from "#src/domain/invoice/collectable.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GOLDEN } from "#tests/support/product.ts";

const document = readInvoice(
  parseXml(await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"))),
);
const breakdown = (rate: string, taxableAmount: string, taxAmount: string) => ({
  taxableAmount,
  taxAmount,
  currency: "EUR",
  vat: { code: "S", rate, exemptionReason: undefined, exemptionCode: undefined },
});
const invoice = {
  ...document,
  kind: "invoice" as const,
  typeCode: "380",
  currency: "EUR",
  processType: "S1",
  totals: { ...document.totals, withVat: "230.00", due: "230.00" },
  vatBreakdown: [breakdown("20", "100", "20"), breakdown("10.00", "100", "10")],
};
const eur = (rate: string, amount: string) => ({ rate, amount, currency: "EUR" });
/** Returns `ok`, `confirm` or `never`. */
function verdict(
  amounts: readonly ReturnType<typeof eur>[],
  reported: readonly ReturnType<typeof eur>[] = [],
  of: typeof document = invoice,
): string {
  const excess = findExcess(amounts, { reported, collectable: computeCollectable(of) });
  return excess === undefined ? "ok" : excess.confirmable ? "confirm" : "never";
}

Deno.test("collected amounts are compared with each rate and with the amount due", () => {
  const cases: [string, string][] = [
    [verdict([eur("20", "120"), eur("10", "110")]), "ok"],
    [verdict([eur("20.00", "120.01")]), "confirm"],
    [verdict([eur("10", "1")], [eur("10", "110")]), "confirm"],
    [verdict([eur("20", "-1")]), "never"],
    [verdict([eur("20", "-1")], [eur("20", "1")]), "ok"],
    [verdict([eur("20", "-1")], [eur("10", "1")]), "never"],
    [verdict([{ ...eur("20", "1"), currency: "USD" }]), "confirm"],
  ];
  for (const [at, [is, wanted]] of cases.entries()) assertEquals(is, wanted, `case ${at}`);
});

Deno.test("prepayments count on their own invoices, a paid frame asks for its total", () => {
  const paid = { ...invoice, totals: { ...invoice.totals, paid: "200.00", due: "30.00" } };
  assertEquals(verdict([eur("20", "30")], [], paid), "ok");
  assertEquals(verdict([eur("20", "30.01")], [], paid), "confirm");
  assertEquals(verdict([eur("20", "120")], [], { ...paid, processType: "S2" }), "ok");
});

Deno.test("a credit note is paid back: its amounts are negative", () => {
  const note = { ...invoice, typeCode: "381", kind: "creditNote" as const };
  assertEquals(verdict([eur("20", "-120")], [], note), "ok");
  assertEquals(verdict([eur("20", "-120.01")], [], note), "confirm");
  assertEquals(verdict([eur("20", "1")], [], note), "never");
  assertEquals(verdict([eur("20", "1")], [eur("20", "-1")], note), "ok");
});

Deno.test("an excess names rate and amounts as people write them, refunds without a sign", () => {
  const note = { ...invoice, typeCode: "381", kind: "creditNote" as const };
  const explain = (amount: string, of: typeof document) =>
    findExcess([eur("20.00", amount)], { reported: [], collectable: computeCollectable(of) })
      ?.flaw.fr;
  assertEquals(
    explain("-1250.6", note),
    "Au taux de 20 %, les montants remboursés atteindraient 1\u202F250,60 EUR pour un avoir de 120,00 EUR : corrigez-les ou confirmez-les",
  );
  assertEquals(
    explain("250.6", note),
    "Au taux de 20 %, vous annulez 250,60 EUR de plus que le montant remboursé déjà déclaré : corrigez le montant",
  );
});
