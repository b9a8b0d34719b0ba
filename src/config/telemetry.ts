import { z } from "zod";
import { url, type Variables as Environment, whole } from "./environment.ts";

/** Environment variables of telemetry, with the names that OpenTelemetry libraries read. */
export const telemetryVariables = {
  OTEL_DENO: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional(),
  OTEL_METRIC_EXPORT_INTERVAL: whole(100, 3_600_000).default(60_000),
  METRICS_TOKEN: z.string().min(16).optional(),
  METRICS_PORT: whole(1, 65535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
};

type Variables = z.infer<z.ZodObject<typeof telemetryVariables>>;

export function telemetryConfig(e: Variables) {
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
