import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { backoff, delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { KnownFlow, WebhookRegistration } from "./model.ts";
import { now, type SandboxPa, wholeFlow } from "./pa.ts";
import { flowJson } from "./wire.ts";

const ATTEMPTS = 5;
const TIMEOUT_MS = 5_000;

/** Calls the registered webhooks for new and changed flows; a failed call is repeated a few times. */
export function startWebhooks(
  pa: SandboxPa,
  retryBaseMs: number,
): { readonly stop: () => Promise<void> } {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  function announce(flow: KnownFlow): void {
    for (const webhook of pa.state.webhooks.values()) {
      if (!wants(webhook, flow)) continue;
      const call = callUntilHeard(pa, { webhook, flow, retryBaseMs, signal: ending.signal });
      running.add(call);
      call.finally(() => running.delete(call)).catch(() => undefined);
    }
  }
  pa.listeners.add(announce);
  return {
    async stop() {
      pa.listeners.delete(announce);
      ending.abort();
      await Promise.allSettled(running);
    },
  };
}

function wants(webhook: WebhookRegistration, flow: KnownFlow): boolean {
  const { flowTypes, flowDirection, ackStatus } = webhook;
  return (flowTypes.length === 0 || flowTypes.includes(flow.flowType)) &&
    (flowDirection === undefined || flowDirection === flow.flowDirection) &&
    (ackStatus === undefined || ackStatus === flow.ack);
}

interface Call {
  readonly webhook: WebhookRegistration;
  readonly flow: KnownFlow;
  readonly retryBaseMs: number;
  readonly signal: AbortSignal;
}

async function callUntilHeard(pa: SandboxPa, call: Call): Promise<void> {
  const { webhook, flow, signal } = call;
  const body = JSON.stringify(flowJson(await wholeFlow(pa, flow), pa.personality.apiVersion));
  for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
    const outcome = await post(webhook, body, { epoch: getEpoch(pa), signal });
    const { webhookId } = webhook;
    const record = { at: now(pa), webhookId, flowId: flow.flowId, attempt, outcome };
    pa.journal.append({ kind: "delivery", ...record });
    if (/^2\d\d$/.test(outcome)) return;
    await delay(backoff(attempt, { baseMs: call.retryBaseMs, capMs: 60_000 }), signal);
  }
}

function getEpoch(pa: SandboxPa): number {
  return Math.floor(pa.clock.now().getTime() / 1000);
}

/** Returns the Base64 HMAC-SHA-256 of the SHA-256 of `payload@epoch` (Flow Service 1.3, webhook callback). */
function signature(payload: string, epoch: number, signingKey: string): string {
  const fingerprint = createHash("sha256").update(`${payload}@${epoch}`).digest();
  return createHmac("sha256", Buffer.from(signingKey, "base64")).update(fingerprint).digest(
    "base64",
  );
}

/** Returns the HTTP status, or a sentence that says why the call failed. */
function post(
  webhook: WebhookRegistration,
  body: string,
  options: { epoch: number; signal: AbortSignal },
): Promise<string> {
  const request = webhook.callbackUrl.startsWith("https:") ? httpsRequest : httpRequest;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise((resolve) => {
    const call = request(webhook.callbackUrl, {
      method: "POST",
      signal,
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "afnor-signature": signature(body, options.epoch, webhook.signingKey),
        "afnor-signature-timestamp": String(options.epoch),
      },
    }, (response) => {
      response.resume();
      response.on("end", () => resolve(String(response.statusCode ?? 0)));
      response.on("error", (error) => resolve(toMessage(error)));
    });
    call.on("error", (error) => resolve(toMessage(error)));
    call.end(body);
  });
}
