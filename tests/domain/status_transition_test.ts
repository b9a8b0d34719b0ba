import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { amountsMisfit } from "#src/domain/invoice/collected_amounts.ts";
import { checkTransition, type TransitionInput } from "#src/domain/invoice/status_transition.ts";

function refusal(current: string, target: string, input: TransitionInput) {
  const verdict = checkTransition(current, target, input);
  if (verdict.ok) throw new Error(`${current} -> ${target} was accepted`);
  return verdict;
}

Deno.test("a buyer approves, disputes and refuses a received invoice", () => {
  const input = { direction: "Received", reason: "TX_TVA_ERR", comment: "20 % attendu" } as const;
  assertEquals(checkTransition("203", "205", { direction: "Received" }).ok, true);
  assertEquals(checkTransition("205", "207", input).ok, true);
  assertEquals(checkTransition("10", "210", input).ok, true);
});

Deno.test("a supplier does not approve its own invoice", () => {
  const { code, fr, en } = refusal("203", "205", { direction: "Issued" });
  assertEquals(code, "refused");
  assertEquals(fr, "Le statut 205 Approuvée est posé par l'acheteur, pas par le fournisseur");
  assertEquals(en, "Status 205 Approved is set by the buyer, not by the supplier");
});

Deno.test("a refusal needs a reason of its list and a comment", () => {
  assertStringIncludes(refusal("203", "210", { direction: "Received" }).en, "needs a reason code");
  const wrong = { direction: "Received", reason: "PU_ERR", comment: "x" } as const;
  assertStringIncludes(refusal("203", "210", wrong).en, "PU_ERR is not allowed with status 210");
  const silent = { direction: "Received", reason: "DOUBLON", comment: " " } as const;
  assertStringIncludes(refusal("203", "210", silent).en, "needs a comment");
});

Deno.test("the reason AUTRE is explained by a comment", () => {
  const input = { direction: "Received", reason: "AUTRE" } as const;
  assertStringIncludes(refusal("203", "207", input).en, "“Other cause” needs a comment");
  assertEquals(checkTransition("203", "207", { ...input, comment: "voir courriel" }).ok, true);
});

Deno.test("a collection gives amounts per VAT rate", () => {
  const amounts = [{ amount: "120.00", currency: "EUR", rate: "20" }];
  assertEquals(checkTransition("205", "212", { direction: "Issued", amounts }).ok, true);
  assertEquals(checkTransition("212", "212", { direction: "Issued", amounts }).ok, true);
  assertStringIncludes(
    refusal("205", "212", { direction: "Issued" }).en,
    "at least one collected amount",
  );
  const bad = [{ amount: "12,5", currency: "EUR", rate: "20" }];
  assertEquals(refusal("205", "212", { direction: "Issued", amounts: bad }).code, "invalid");
});

Deno.test("amounts that cannot have been collected are refused, with the value", () => {
  const cases = [
    [{ rate: "-5" }, /-5/],
    [{ rate: "999" }, /999/],
    [{ rate: "100.01" }, /100\.01/],
    [{ rate: "5.555" }, /5\.555/],
    [{ currency: "ZZZ" }, /ZZZ/],
    [{ amount: "0" }, /zero/],
    [{ amount: "-0.00" }, /zero/],
    [{ amount: "999999999999999.999999" }, /two decimals/],
    [{ amount: "1.001" }, /1\.001.*two decimals/],
  ] as const;
  for (const [wrong, says] of cases) {
    const amounts = [{ amount: "12.00", currency: "EUR", rate: "20", ...wrong }];
    const { code, en, fr } = refusal("205", "212", { direction: "Issued", amounts });
    assertEquals(code, "refused");
    assertMatch(en, says);
    assertEquals(fr === en, false);
  }
  const fine = ["-12.00", "0.01", "999999999999999.99"];
  for (const amount of fine) {
    const amounts = [{ amount, currency: "EUR", rate: "20" }];
    assertEquals(checkTransition("212", "212", { direction: "Issued", amounts }).ok, true, amount);
  }
});

Deno.test("amounts are in a currency and at the rates of the invoice, where these are known", () => {
  const amounts = [{ amount: "12.00", currency: "EUR", rate: "5.50" }];
  const invoice = { currencies: ["USD", "EUR"], rates: ["20", "5.5"] };
  assertEquals(amountsMisfit(amounts, invoice), undefined);
  assertEquals(amountsMisfit(amounts, { currencies: [], rates: [] }), undefined);
  assertMatch(
    amountsMisfit(amounts, { ...invoice, rates: ["20", "10"] })?.en ?? "",
    /5\.50.*20, 10/,
  );
  assertMatch(amountsMisfit(amounts, { ...invoice, currencies: ["USD"] })?.fr ?? "", /EUR.*USD/);
});

Deno.test("nothing is said to a PA that does not hold the invoice", () => {
  const { code, en } = refusal("9906", "205", { direction: "Received" });
  assertEquals(code, "conflict");
  assertStringIncludes(en, "the PA does not hold it");
});

Deno.test("a final status is left by an operator with a reason only", () => {
  const amounts = [{ amount: "1", currency: "EUR", rate: "20" }];
  assertEquals(refusal("210", "212", { direction: "Issued", amounts }).code, "conflict");
  assertEquals(refusal("210", "10", { direction: "Issued", by: "operator" }).code, "refused");
  const given = { direction: "Issued", by: "operator", reason: "erreur de saisie" } as const;
  assertEquals(checkTransition("210", "10", given).ok, true);
});

Deno.test("an operator sets 200 as 10, and a code outside the catalogue is reported", () => {
  const verdict = checkTransition("9906", "200", { direction: "Issued", by: "operator" });
  assertEquals(verdict.ok && verdict.status.code, "10");
  assertEquals(refusal("9906", "4711", { direction: "Issued", by: "operator" }).code, "invalid");
});

Deno.test("an operator does not give an invoice a status of other data", () => {
  const given = { direction: "Issued", by: "operator", reason: "essai" } as const;
  for (const code of ["250", "301", "400", "401", "500", "601"]) {
    const { code: kind, en } = refusal("10", code, given);
    assertEquals(kind, "refused");
    assertStringIncludes(en, `Status ${code}`);
  }
  assertEquals(checkTransition("10", "501", given).ok, true, "said of an invoice too");
});

Deno.test("taking in hand after an approval would be a step back", () => {
  assertStringIncludes(refusal("205", "204", { direction: "Received" }).en, "a step back");
});

Deno.test("nobody manually moves a rejected invoice to a status of submission or deposit", () => {
  const given = { direction: "Issued", by: "operator", reason: "forced" } as const;
  for (const code of ["9900", "9901", "9904", "9906", "10", "200", "205", "212"]) {
    const { code: kind, fr, en } = refusal("9907", code, given);
    assertEquals(kind, "refused", code);
    assertStringIncludes(fr, "rejetée au contrôle (9907)");
    assertStringIncludes(en, "failed validation (9907)");
  }
  assertEquals(checkTransition("9907", "9907", given).ok, true);
  assertEquals(checkTransition("9907", "9901", { ...given, fatal: false }).ok, true);
  assertEquals(checkTransition("9907", "210", { ...given, direction: "Received" }).ok, true);
});
