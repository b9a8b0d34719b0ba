import { assertEquals } from "@std/assert";
import { amountsReason, buildCdar, type CdarDraft } from "#src/domain/cdar/mod.ts";
import { flowsOfType, invoiceXml, outgoing, type Peer, settle, startPeer } from "./support.ts";

const SELLER = { id: "498259795", name: "Vendeur", role: "SE", address: "498259795" };
const BUYER = { id: "448337881", name: "Acheteur", role: "BY", address: "448337881" };

async function verdict(
  peer: Peer,
  draft: Partial<CdarDraft>,
): Promise<readonly (string | undefined)[]> {
  const xml = buildCdar({
    status: "205",
    at: "2026-10-02T09:30:00",
    invoiceNumber: "S-1",
    sellerSiren: "498259795",
    issuer: BUYER,
    ...draft,
  });
  const { flowId } = await peer.pa.submit(outgoing(xml, { syntax: "CDAR", profile: undefined }));
  const { ack, flowType } = await settle(peer.pa, flowId);
  return [ack.status, ack.details[0]?.reasonCode ?? flowType];
}

async function peerWithInvoice(): Promise<Peer> {
  const peer = await startPeer();
  await peer.admin("POST", "incoming", invoiceXml({ number: "S-1" }));
  return peer;
}

Deno.test("a status of ours about a received invoice is taken", async () => {
  await using peer = await peerWithInvoice();
  assertEquals(await verdict(peer, {}), ["Ok", "SupplierInvoiceLC"]);
});

Deno.test("a status of ours about an issued invoice is taken", async () => {
  await using peer = await startPeer();
  await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  const amounts = [{ amount: "120.00", currency: "EUR", rate: "20" }];
  const collected = {
    status: "212",
    invoiceNumber: "F-1",
    issuer: SELLER,
    reasons: [amountsReason(amounts, "collected")],
  };
  assertEquals(await verdict(peer, collected), ["Ok", "CustomerInvoiceLC"]);
});

Deno.test("a status that breaks a rule is answered by its own reason", async () => {
  await using peer = await peerWithInvoice();
  assertEquals(await verdict(peer, { status: "200" }), ["Error", "InvoiceLCInvalidStatus"]);
  assertEquals(await verdict(peer, { status: "777" }), ["Error", "InvoiceLCInvalidStatus"]);
  assertEquals(await verdict(peer, { status: "207" }), ["Error", "InvoiceLCRuleError"]);
  assertEquals(await verdict(peer, { status: "212" }), ["Error", "InvoiceLCAmountError"]);
  assertEquals(await verdict(peer, { invoiceNumber: "S-2" }), ["Error", "InvoiceLCAccessDenied"]);
});

Deno.test("amounts that cannot have been collected are refused, as are those at rates the invoice does not have", async () => {
  await using peer = await startPeer();
  await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  const wrongs = [
    { amount: "0" },
    { amount: "1.001" },
    { rate: "-5" },
    { rate: "13" },
    { currency: "ZZZ" },
    { currency: "USD" },
  ];
  for (const wrong of wrongs) {
    const amounts = [{ amount: "120.00", currency: "EUR", rate: "20", ...wrong }];
    const told = {
      status: "212",
      invoiceNumber: "F-1",
      issuer: SELLER,
      reasons: [amountsReason(amounts, "collected")],
    };
    assertEquals(
      await verdict(peer, told),
      ["Error", "InvoiceLCAmountError"],
      JSON.stringify(wrong),
    );
  }
});

Deno.test("a lifecycle message passed on is labelled by the side of the invoice it is about", async () => {
  await using peer = await peerWithInvoice();
  await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  const about = (invoiceNumber: string) =>
    buildCdar({ status: "205", at: "2026-10-02T09:30:00", invoiceNumber, issuer: BUYER });
  for (const number of ["S-1", "F-1", "X-1"]) await peer.admin("POST", "incoming", about(number));
  const names = async (type: string) =>
    (await flowsOfType(peer.pa, type)).map((it) => it.name).filter((it) => it?.endsWith("205"));
  assertEquals(await names("SupplierInvoiceLC"), ["CDV S-1 205"]);
  assertEquals(await names("CustomerInvoiceLC"), ["CDV F-1 205", "CDV X-1 205"]);
});
