import { assert, assertEquals } from "@std/assert";
import {
  findStatus,
  isDeposited,
  isFinal,
  nationalCode,
  PA_STATUS_NAMES,
  statusByPaName,
  statusLabel,
  storedCode,
} from "#src/domain/invoice/status.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { actionLabel, ACTIONS } from "#src/domain/invoice/actions.ts";
import { REASONS } from "#src/domain/invoice/reason_catalogue.ts";
import { reasonLabel, reasonsFor } from "#src/domain/invoice/reasons.ts";

Deno.test("every status has a code of its own and a label in both languages", () => {
  assertEquals(new Set(STATUSES.map((s) => s.code)).size, STATUSES.length);
  assert(STATUSES.every((s) => s.fr !== "" && s.en !== ""));
});

Deno.test("internal statuses, deposited and in dispute carry the labels the product promises", () => {
  const labels = ["9900", "9901", "9904", "9906", "9907", "10", "207"].map((code) => [
    statusLabel(code, "fr"),
    statusLabel(code, "en"),
  ]);
  assertEquals(labels, [
    ["Créée", "Created"],
    ["Validée", "Validated"],
    ["Échec de l'envoi", "Send failed"],
    ["En attente", "Pending"],
    ["Rejetée au contrôle", "Validation failed"],
    ["Déposée", "Deposited"],
    ["En litige", "In dispute"],
  ]);
});

Deno.test("every national status is in the catalogue", () => {
  const national =
    "200 201 202 203 204 205 206 207 208 209 210 211 212 213 214 220 221 224 225 226 " +
    "227 228 250 251 300 301 400 401 500 501 601";
  for (const code of national.split(" ")) assertEquals(findStatus(code)?.national, code);
});

Deno.test("the national 200 is stored as 10 and shown as 200", () => {
  assertEquals([storedCode("200"), nationalCode("10"), nationalCode("207")], ["10", "200", "207"]);
});

Deno.test("an unknown code is stored and is its own label", () => {
  assertEquals(
    [storedCode(" 299 "), nationalCode("299"), statusLabel("299", "fr"), statusLabel("299", "en")],
    ["299", "299", "Statut 299", "Status 299"],
  );
  assertEquals([isDeposited("299"), isFinal("299")], [true, false]);
});

Deno.test("the names of status updates are those of the contract", () => {
  assertEquals(PA_STATUS_NAMES.map((name) => `${name} ${statusByPaName(name)?.code}`).sort(), [
    "APPROVED 205",
    "CANCELLED 220",
    "COMPLETED 209",
    "DISPUTED 207",
    "IN_HAND 204",
    "PARTIALLY_APPROVED 206",
    "PAYMENT_RECEIVED 212",
    "PAYMENT_SENT 211",
    "REFUSED 210",
    "SUSPENDED 208",
  ]);
  assertEquals(statusByPaName("approved")?.code, "205");
  assertEquals(statusByPaName("SHIPPED"), undefined);
});

Deno.test("every reason and action has a label in both languages and a code of its own", () => {
  assertEquals(new Set(REASONS.map((r) => r.code)).size, 75);
  assert(REASONS.every((r) => r.fr !== "" && r.en !== ""));
  assertEquals(ACTIONS.map((a) => a.code), ["NOA", "PIN", "NIN", "CNF", "CNP", "CNA", "OTH"]);
  assertEquals([reasonLabel("ZZZ", "fr"), actionLabel("ZZZ", "en")], ["ZZZ", "ZZZ"]);
});

Deno.test("a status names the reasons that go with it", () => {
  assertEquals(reasonsFor("221").map((r) => r.code), ["ROUTAGE_ERR"]);
  assertEquals(reasonsFor("200").map((r) => r.code), ["NON_TRANSMISE"]);
  assert(reasonsFor("213").some((r) => r.code === "DOUBLON"));
  assert(!reasonsFor("210").some((r) => r.code === "LIVR_INCOMP"));
  assert(reasonsFor("210", true).some((r) => r.code === "LIVR_INCOMP"));
});
