import { metrics, trace } from "@opentelemetry/api";
import type { Telemetry } from "#src/ports/telemetry.ts";
import { installedMeters, Meters } from "./meters.ts";
import { inSpan } from "./spans.ts";
import { recordWith } from "./record.ts";
import { watchEventLoop } from "./event_loop.ts";

/** Traces and metrics of the process; disposing exports the rest and stops. */
export type OpenTelemetry = Telemetry & AsyncDisposable;

/**
 * Opens telemetry. Deno exports all data of the API by itself (`OTEL_DENO=true`); on Node an OTLP collector at
 * `exportTo` receives it. The API belongs to the process: opening it twice still measures once.
 */
export async function openTelemetry(
  { exportTo, metricsEachMs }: {
    readonly exportTo: string | undefined;
    readonly metricsEachMs: number;
  },
): Promise<OpenTelemetry> {
  const isNode = !("Deno" in globalThis);
  const exporter = exportTo !== undefined && isNode && !installedMeters()
    ? (await import("./node_exporter.ts")).exportFromNode(exportTo, metricsEachMs)
    : undefined;
  const meters = installedMeters() ?? install();
  const loop = watchEventLoop();
  return {
    async request({ traceparent, method }, work, answered) {
      const start = performance.now();
      const ofRuntime = trace.getActiveSpan();
      // Deno begins a span for each request, which does not go on with the caller's trace.
      const from = traceparent ?? (ofRuntime ? undefined : null);
      // … and records the whole URL, whose query may contain a ticket or a code.
      ofRuntime?.setAttributes({ "url.full": "", "url.path": "", "url.query": "" });
      await inSpan(method, { kind: "SERVER", from }, async (span) => {
        await work();
        const { route, status } = answered();
        span.updateName(`${method} ${route}`);
        span.setAttributes({
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": status,
        });
        const labels = { method, route, status: String(status) };
        const seconds = (performance.now() - start) / 1000;
        meters.record("passerelle_http_request_duration_seconds", seconds, labels);
      });
    },
    watch: (names, read) => meters.watch(names, read),
    print: () => meters.text(),
    async [Symbol.asyncDispose]() {
      loop.stop();
      await exporter?.close();
    },
  };
}

function install(): Meters {
  const meters = new Meters(metrics.getMeterProvider());
  recordWith(meters);
  return meters;
}
