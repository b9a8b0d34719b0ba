import { erpBurst } from "#tests/support/erp.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { controlSandbox, type SandboxControl } from "#tests/support/sandbox.ts";

export interface Stage extends AsyncDisposable {
  readonly product: TestProduct;
  readonly sandbox: SandboxControl;
}

/** The product and a PA that judges and tells at once. */
export async function stage(environment: Record<string, string> = {}): Promise<Stage> {
  const product = await startProduct({
    RETRY_BASE_MS: "5",
    PA_SETTLE_MS: "0",
    BREAKER_FAILURES: "1000",
    ...environment,
  });
  const sandbox = controlSandbox(product.sandbox.url);
  await sandbox.personality({ ackDelayMs: 0, stepDelayMs: 0 });
  return { product, sandbox, [Symbol.asyncDispose]: () => product[Symbol.asyncDispose]() };
}

/** Processes and sends `n` invoices numbered from `first`; resolves to their ids when the PA has them. */
export async function issue({ product }: Stage, n: number, first: number): Promise<string[]> {
  const file = await product.write(`${first}.xml`, await erpBurst(n, first));
  const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  if (!body.success) throw new Error(`The run failed: ${body.error}`);
  const run = await product.get(`/api/runs/${body.runId}?pageSize=500`);
  return run.body.invoices.map((it: { id: string }) => it.id);
}

export interface Told {
  readonly statusCode: string;
  readonly reasonCode: string | null;
  readonly message: string;
  readonly source: string;
  /** When it happened, `yyyy-MM-ddTHH:mm:ss`, UTC. */
  readonly createdAt: string;
}

export async function lifecycleOf({ product }: Stage, id: string): Promise<Told[]> {
  return (await product.get(`/api/invoices/${id}/lifecycle`)).body.events;
}

export async function codesOf(stage: Stage, id: string): Promise<string[]> {
  return (await lifecycleOf(stage, id)).map((it) => it.statusCode);
}

export async function statusOf({ product }: Stage, id: string): Promise<string> {
  const { body } = await product.get("/api/invoices?pageSize=500");
  const rows = body.invoices as { fedoc: string; fedct: string; kco: string; status: string }[];
  const found = rows.find((it) => `${it.fedoc}-${it.fedct}-${it.kco}` === id);
  if (!found) throw new Error(`${id} is not among ${body.total} invoices`);
  return found.status;
}

export async function poll(
  { product }: Stage,
  path = "/api/import",
): Promise<{ severity: string; message: string }[]> {
  const { status, body } = await product.post(path, {});
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.logs;
}

/** Polls until the invoice has a history of these codes at least, in whatever order. */
export async function toldOf(
  stage: Stage,
  id: string,
  codes: readonly string[],
): Promise<string[]> {
  let seen: string[] = [];
  await until(
    async () => {
      await poll(stage);
      seen = await codesOf(stage, id);
      return codes.every((code) => seen.includes(code));
    },
    `${id} to be told ${codes.join(" ")}`,
  );
  return seen;
}

/** Something arrives at the PA for us: a file, or a status of an invoice it knows. */
export async function incoming(
  { product }: Stage,
  what: string | Uint8Array<ArrayBuffer> | Record<string, unknown>,
): Promise<string[]> {
  const isFile = typeof what === "string" || what instanceof Uint8Array;
  const type = what instanceof Uint8Array ? "application/pdf" : "application/xml";
  const answer = await fetch(`${product.sandbox.url}/sandbox/incoming`, {
    method: "POST",
    headers: { "content-type": isFile ? type : "application/json" },
    body: isFile ? what : JSON.stringify(what),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`incoming: ${answer.status} ${JSON.stringify(body)}`);
  return body.flows.map((it: { flowId: string }) => it.flowId);
}

export async function quarantineOf({ product }: Stage, kind = "") {
  const { body } = await product.get(`/api/pa/quarantine${kind && `?kind=${kind}`}`);
  return body as {
    total: number;
    flows: {
      flowId: string;
      kind: string;
      reason: string;
      nextAt: string | null;
      invoiceNumber: string | null;
      content: string | null;
      replayable: boolean;
    }[];
  };
}
