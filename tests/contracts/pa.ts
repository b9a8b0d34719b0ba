import { assertEquals, assertRejects } from "@std/assert";
import { type Pa, PaError } from "#src/ports/pa.ts";
import { invoiceXml, outgoing, settle } from "#tests/sandbox/support.ts";

/** Behaviour of a PA at the next submission; `lost-after` stores the file and loses the answer. */
export type Fault = "busy" | "lost-after" | "lost-before" | "refused";

/** Client of a protocol, and a peer that fails on demand. */
export interface PaSetting {
  readonly pa: Pa;
  /** Client for an address where nothing listens. */
  readonly nowhere: Pa;
  /** Client with credentials that the peer rejects, which contain the text `s3cr3t`. */
  readonly stranger: Pa;
  failNext(fault: Fault): Promise<void>;
}

const toFailure = (work: Promise<unknown>) => assertRejects(() => work, PaError);

/** Counts the files of a tracking id at the PA. */
async function countFiles(pa: Pa, trackingId: string): Promise<number> {
  return (await pa.search({ where: { trackingId } })).flows.length;
}

const FAULTS: readonly (readonly [fault: Fault, outcome: string, files: number])[] = [
  ["busy", "throttled", 0],
  ["refused", "refused", 0],
  ["lost-before", "ambiguous", 0],
  ["lost-after", "ambiguous", 1],
];

/** Contract of every PA protocol. */
export const PA_CONTRACT: Readonly<Record<string, (setting: PaSetting) => Promise<void>>> = {
  "an invoice is submitted, found by its tracking id and downloaded unchanged": async ({ pa }) => {
    const flow = outgoing(invoiceXml());
    const receipt = await pa.submit(flow);
    assertEquals((await settle(pa, receipt.flowId)).ack, { status: "Ok", details: [] });
    const page = await pa.search({ where: { trackingId: flow.trackingId } });
    assertEquals(page.flows.map((one) => one.flowId), [receipt.flowId]);
    assertEquals((await pa.download(receipt.flowId, "Original")).bytes, flow.bytes);
  },

  "a failed submission reports whether the PA may have the file": async ({ pa, failNext }) => {
    await pa.submit(outgoing(invoiceXml({ number: "F-0" }))); // the client is signed in
    for (const [at, [fault, outcome, files]] of FAULTS.entries()) {
      const flow = outgoing(invoiceXml({ number: `F-${at + 1}` }));
      await failNext(fault);
      assertEquals((await toFailure(pa.submit(flow))).outcome, outcome, fault);
      assertEquals(await countFiles(pa, flow.trackingId), files, fault);
    }
  },

  "a PA that does not listen received nothing": async ({ nowhere }) => {
    assertEquals((await toFailure(nowhere.submit(outgoing(invoiceXml())))).outcome, "not-sent");
    assertEquals((await toFailure(nowhere.healthcheck())).outcome, "not-sent");
  },

  "wrong credentials send nothing, and no error shows them": async ({ stranger }) => {
    const error = await toFailure(stranger.submit(outgoing(invoiceXml())));
    assertEquals(error.outcome, "not-sent");
    const shown = JSON.stringify([error.message, error.excerpt, error.details]);
    assertEquals(shown.includes("s3cr3t"), false, shown);
  },

  "a call that was aborted before it began has no effect": async ({ pa }) => {
    const flow = outgoing(invoiceXml());
    const error = await toFailure(pa.submit(flow, { signal: AbortSignal.abort() }));
    assertEquals(error.outcome, "not-sent");
    assertEquals(await countFiles(pa, flow.trackingId), 0);
  },

  "a search returns each flow once, page by page": async ({ pa }) => {
    const sent = new Set<string>();
    for (const number of ["F-1", "F-2", "F-3"]) {
      const { flowId } = await pa.submit(outgoing(invoiceXml({ number })));
      await settle(pa, flowId);
      sent.add(flowId);
    }
    const where = { flowType: ["CustomerInvoice"] };
    const first = await pa.search({ where, limit: 2 });
    const second = await pa.search({ where, limit: 2, cursor: first.nextCursor });
    assertEquals([first.flows.length, second.flows.length], [2, 1]);
    assertEquals(new Set([...first.flows, ...second.flows].map(({ flowId }) => flowId)), sent);
  },

  "a flow that does not exist is refused": async ({ pa }) => {
    assertEquals((await toFailure(pa.metadata("nothing/../here"))).outcome, "refused");
  },

  "a webhook is registered, listed and deleted": async ({ pa }) => {
    const callbackUrl = "https://erp.example.fr/hook";
    const { webhookId } = await pa.registerWebhook({ callbackUrl });
    const ids = async () => (await pa.listWebhooks()).map((it) => it.webhookId);
    assertEquals(await ids(), [webhookId]);
    await pa.deleteWebhook(webhookId);
    assertEquals(await ids(), []);
  },
};
