import type { MeterProvider } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider as SdkMeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";

/** A provider whose metrics are printed in Prometheus' text format. */
export interface Printed {
  readonly provider: MeterProvider;
  /** Returns the metrics as text, without those that take longer than `timeoutMs` to observe. */
  text(timeoutMs: number): Promise<string>;
}

export function openPrinted(): Printed {
  const reader = new TextReader();
  return {
    provider: new SdkMeterProvider({ readers: [reader] }),
    async text(timeoutMs) {
      const { resourceMetrics } = await reader.collect({ timeoutMillis: timeoutMs });
      return new PrometheusSerializer("", false, undefined, true, true).serialize(resourceMetrics);
    },
  };
}

/** Reader that collects metrics only on request. */
class TextReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}
