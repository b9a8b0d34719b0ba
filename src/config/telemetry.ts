import type { Variables as Environment } from "./environment.ts";
import type { VariableValues } from "./variables.ts";

export function telemetryConfig(e: VariableValues) {
  return {
    /** Endpoint of traces and metrics on Node, and the export interval of metrics. Deno reads the variables itself. */
    exportTo: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsEachMs: e.OTEL_METRIC_EXPORT_INTERVAL,
    /** True if Deno exports telemetry; it exports nothing without this variable. */
    isOnInDeno: e.OTEL_DENO === "true" || e.OTEL_DENO === "1",
    token: e.METRICS_TOKEN,
    /** Port on which a process without HTTP serves `/metrics`, or undefined. */
    served: e.METRICS_PORT === undefined
      ? undefined
      : { port: e.METRICS_PORT, host: e.METRICS_HOST },
  };
}

/**
 * Returns the endpoint to which Deno exports. It is also needed when a process ends because of a wrong configuration.
 */
export function collectorOfDeno(env: Environment): string | undefined {
  const isOn = /^(true|1)$/.test(env["OTEL_DENO"] ?? "");
  return isOn ? env["OTEL_EXPORTER_OTLP_ENDPOINT"] || "http://localhost:4318" : undefined;
}
