import { z } from "zod";
import { url, type Variables as Environment, whole } from "./environment.ts";

/** The names of OpenTelemetry are those its own libraries read. */
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
    /** Where Node sends traces and metrics, and how often the latter. Deno reads the variables itself. */
    exportTo: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsEachMs: e.OTEL_METRIC_EXPORT_INTERVAL,
    /** Of the same on Deno, which exports nothing without it. */
    isOnInDeno: e.OTEL_DENO === "true" || e.OTEL_DENO === "1",
    token: e.METRICS_TOKEN,
    /** Where a process without HTTP serves `/metrics`; undefined: nowhere. */
    served: e.METRICS_PORT === undefined
      ? undefined
      : { port: e.METRICS_PORT, host: e.METRICS_HOST },
  };
}

/** Where Deno itself exports to, which is asked when a process ends for whatever reason: a wrong configuration too. */
export function collectorOfDeno(env: Environment): string | undefined {
  const isOn = /^(true|1)$/.test(env["OTEL_DENO"] ?? "");
  return isOn ? env["OTEL_EXPORTER_OTLP_ENDPOINT"] || "http://localhost:4318" : undefined;
}
