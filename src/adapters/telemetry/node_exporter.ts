import { metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/** A collector that does not answer is not waited for longer at the end. */
const CLOSE_MS = 2_000;
const EXPORT_MS = 30_000;

/**
 * Sends spans and metrics in batches to an OTLP collector over HTTP, as Deno does natively. Spans are dropped
 * when the queue is full. The SDK reads the `OTEL_*` variables.
 */
export function exportFromNode(
  endpoint: string,
  metricsEachMs: number,
): { close(): Promise<void> } {
  const base = endpoint.replace(/\/+$/, "");
  // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
  const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  const tracer = new NodeTracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` })),
    ],
  });
  tracer.register({ propagator: null });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
    exportIntervalMillis: metricsEachMs,
    exportTimeoutMillis: Math.min(metricsEachMs, EXPORT_MS),
  });
  const meter = new MeterProvider({ resource, readers: [reader] });
  metrics.setGlobalMeterProvider(meter);
  return {
    async close() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, CLOSE_MS));
      const ended = Promise.allSettled([tracer.shutdown(), meter.shutdown()]);
      await Promise.race([ended, patience]);
      clearTimeout(timer);
    },
  };
}
