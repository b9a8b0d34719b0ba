import { assertEquals } from "@std/assert";
import { buildCdar, type CdarDraft, collectedReason } from "#src/domain/cdar/mod.ts";
import { invoiceXml, outgoing, type Peer, settled, startPeer } from "./support.ts";

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
  const { ack, flowType } = await settled(peer.pa, flowId);
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
  await settled(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  const amounts = [{ amount: "120.00", currency: "EUR", rate: "20" }];
  const collected = { status: "212", invoiceNumber: "F-1", reasons: [collectedReason(amounts)] };
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
