import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Next } from "hono";
import { delay } from "#src/kernel/delay.ts";
import type { Fault } from "./faults.ts";
import { isRefusal, type SandboxContext, type Services } from "./http_context.ts";
import { now, wholeFlow } from "./pa.ts";
import type { Subject } from "./scripts.ts";
import { errorJson, receiptJson } from "./wire.ts";

/** Applies the armed fault to a matching request and records it in the journal. */
export async function misbehave(
  services: Services,
  context: SandboxContext,
  call: { readonly operation: string; readonly next: Next },
): Promise<Response | void> {
  const fault = services.faults.take(call.operation, getSubject(context));
  if (!fault) return void await call.next();
  const record = { kind: "answer", at: now(services.pa), id: context.get("recordId") } as const;
  services.pa.journal.append({ ...record, status: 0, fault: fault.kind });
  await services.pa.journal.settled();
  const early = before(services, context, fault);
  if (early) return early;
  await call.next();
  await services.pa.journal.settled();
  const spoiled = await after(services, context, fault);
  if (!spoiled) return;
  context.res = undefined;
  context.res = spoiled;
}

function getSubject(context: SandboxContext): Subject {
  const submission = context.get("submission");
  if (!submission || isRefusal(submission)) {
    return { name: context.req.path, trackingId: undefined, invoice: undefined };
  }
  const { name, trackingId, facts } = submission;
  return { name, trackingId, invoice: facts.invoice };
}

function before(services: Services, context: SandboxContext, fault: Fault): Response | undefined {
  const retry = { "retry-after": String(fault.retryAfter) };
  switch (fault.kind) {
    case "500-before":
      return answer(500, errorJson(500, "Something broke"));
    case "503":
      return answer(503, errorJson(503, "Down for maintenance"), retry);
    case "429":
      return answer(429, errorJson(429, "The client emitted too many requests"), retry);
    case "401":
      services.tokens.revokeAll();
      return answer(401, errorJson(401, "The token has expired"));
    case "status":
      return new Response(fault.body || JSON.stringify(errorJson(fault.status, "As asked")), {
        status: fault.status,
        headers: { "content-type": "application/json" },
      });
    case "drop-before":
      return cutConnection(context);
    case "hang-before":
      return RESPONSE_ALREADY_SENT;
    default:
      return undefined;
  }
}

async function after(
  services: Services,
  context: SandboxContext,
  fault: Fault,
): Promise<Response | undefined> {
  switch (fault.kind) {
    case "500-after":
      return answer(500, errorJson(500, "Something broke"));
    case "drop-after":
      return cutConnection(context);
    case "hang-after":
      return RESPONSE_ALREADY_SENT;
    case "garbage":
      return new Response("<html>Bad gateway</html>", { headers: { "content-type": "text/html" } });
    case "empty":
      return new Response(null, { status: 200 });
    case "half-body":
      return await half(context);
    case "same-id":
      return await sameId(services);
    case "slow":
      return void await delay(fault.delayMs);
    default:
      return undefined;
  }
}

async function sameId({ pa }: Services): Promise<Response | undefined> {
  const [, other] = [...pa.state.flows.values()]
    .filter((flow) => flow.flowDirection === "Out").reverse();
  return other && answer(202, receiptJson(await wholeFlow(pa, other)));
}

function cutConnection(context: SandboxContext): Response {
  context.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function half(context: SandboxContext): Promise<Response> {
  const bytes = new Uint8Array(await context.res.arrayBuffer());
  const { outgoing, incoming } = context.env;
  outgoing.writeHead(context.res.status, {
    "content-type": "application/json",
    "content-length": String(bytes.length),
  });
  const part = bytes.subarray(0, Math.floor(bytes.length / 2));
  await new Promise<void>((resolve) => outgoing.write(part, () => resolve()));
  incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

function answer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
