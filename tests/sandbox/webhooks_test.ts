import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import { isSignedByPa, type SignedCall } from "#src/gateway/submission/pa/webhook_signature.ts";
import { eventually, invoiceXml, outgoing, startPeer } from "./support.ts";

interface Listener extends AsyncDisposable {
  readonly url: string;
  readonly calls: SignedCall[];
}

/** Answers 500 to the first `failures` calls. */
async function listener(failures = 0): Promise<Listener> {
  const calls: SignedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { "afnor-signature": signature, "afnor-signature-timestamp": timestamp } =
      request.headers;
    const payload = new Uint8Array(
      await new Blob(chunks.map((chunk) => new Uint8Array(chunk))).arrayBuffer(),
    );
    calls.push({ payload, signature: String(signature), timestamp: String(timestamp) });
    response.writeHead(calls.length <= failures ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

Deno.test("a registered address is called with a signed flow when a message appears", async () => {
  await using hook = await listener();
  await using peer = await startPeer();
  const { webhookId, signingKey = "" } = await peer.pa.registerWebhook({
    callbackUrl: hook.url,
    flowTypes: ["CustomerInvoiceLC"],
  });
  await peer.pa.submit(outgoing(invoiceXml()));
  await eventually("a call", () => Promise.resolve(hook.calls), (calls) => calls.length > 0);
  const [call] = hook.calls;
  if (!call) throw new Error("No call came");
  const now = Number(call.timestamp);
  assertEquals(isSignedByPa(call, { signingKey, now }), true);
  assertEquals(JSON.parse(new TextDecoder().decode(call.payload)).flowType, "CustomerInvoiceLC");
  assertEquals(hook.calls.length, 1);
  const [webhook] = await peer.pa.listWebhooks();
  assertEquals([webhook?.webhookId, webhook?.flowTypes], [webhookId, ["CustomerInvoiceLC"]]);
  await peer.pa.deleteWebhook(webhookId);
  assertEquals(await peer.pa.listWebhooks(), []);
});

Deno.test("a call that fails is repeated until it is heard", async () => {
  await using hook = await listener(2);
  await using peer = await startPeer();
  await peer.pa.registerWebhook({ callbackUrl: hook.url, ackStatus: "Ok", flowDirection: "Out" });
  await peer.pa.submit(outgoing(invoiceXml()));
  await eventually("three calls", () => Promise.resolve(hook.calls), (calls) => calls.length === 3);
  assertEquals(new Set(hook.calls.map((call) => new TextDecoder().decode(call.payload))).size, 1);
});
