import { createServer } from "node:http";

/** Span as received by a collector; ids are hexadecimal. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

/** OpenTelemetry collector in the test process: OTLP as JSON over HTTP. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Names of the received metrics. */
  readonly metrics: ReadonlySet<string>;
  /** Returns the number of connections. */
  calls(): number;
}

/** Starts a collector; with `hangs` it accepts everything and never answers. */
export async function startCollector({ hangs = false } = {}): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const metrics = new Set<string>();
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      if (hangs || !chunks.length) return; // a killed sender may send only its header
      const body = JSON.parse(new TextDecoder().decode(join(chunks)));
      spans.push(...spansIn(body));
      for (const name of metricsIn(body)) metrics.add(name);
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    calls: () => calls,
    [Symbol.asyncDispose]() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Body {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, "service" | "attributes"> & {
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

function spansIn({ resourceSpans = [] }: Body): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(getAttributes(resource.attributes).get("service.name"));
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((it) => ({ ...it, service, attributes: getAttributes(it.attributes) }))
    );
  });
}

function getAttributes(attributes: readonly Attribute[] = []) {
  return new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function metricsIn({ resourceMetrics = [] }: Body): string[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name))
  );
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, it) => sum + it.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
