import { erpBurst } from "#tests/support/erp.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { controlSandbox, type SandboxControl } from "#tests/support/sandbox.ts";

export interface Stage extends AsyncDisposable {
  readonly product: TestProduct;
  readonly sandbox: SandboxControl;
}

/** Starts the product and a PA that validates and reports immediately. */
export async function stage(environment: Record<string, string> = {}): Promise<Stage> {
  const product = await startProduct({
    RETRY_BASE_MS: "5",
    PA_SETTLE_MS: "0",
    BREAKER_FAILURES: "1000",
    RUN_WAIT_SECONDS: "600",
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
  /** Time of the event, `yyyy-MM-ddTHH:mm:ss`, UTC. */
  readonly createdAt: string;
}

export async function readLifecycle({ product }: Stage, id: string): Promise<Told[]> {
  return (await product.get(`/api/invoices/${id}/lifecycle`)).body.events;
}

export async function readCodes(stage: Stage, id: string): Promise<string[]> {
  return (await readLifecycle(stage, id)).map((it) => it.statusCode);
}

export async function readStatus({ product }: Stage, id: string): Promise<string> {
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

/** Polls until the history of the invoice contains at least these codes, in any order. */
export async function readTold(
  stage: Stage,
  id: string,
  codes: readonly string[],
): Promise<string[]> {
  let seen: string[] = [];
  await until(
    async () => {
      await poll(stage);
      seen = await readCodes(stage, id);
      return codes.every((code) => seen.includes(code));
    },
    `${id} to be told ${codes.join(" ")}`,
  );
  return seen;
}

/** Delivers a file, or a status of a known invoice, to the PA for us. */
export async function incoming(
  { product }: Stage,
  what: string | Uint8Array<ArrayBuffer> | Record<string, unknown>,
  processingRule = "B2B",
): Promise<string[]> {
  const isFile = typeof what === "string" || what instanceof Uint8Array;
  const type = what instanceof Uint8Array ? "application/pdf" : "application/xml";
  const answer = await fetch(
    `${product.sandbox.url}/sandbox/incoming?processingRule=${processingRule}`,
    {
      method: "POST",
      headers: { "content-type": isFile ? type : "application/json" },
      body: isFile ? what : JSON.stringify(what),
    },
  );
  const body = await answer.json();
  if (!answer.ok) throw new Error(`incoming: ${answer.status} ${JSON.stringify(body)}`);
  return body.flows.map((it: { flowId: string }) => it.flowId);
}

export async function getQuarantine({ product }: Stage, kind = "") {
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
      fileSize: number | null;
      replayable: boolean;
    }[];
  };
}
