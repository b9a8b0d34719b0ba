import { type Histogram, type MeterProvider, type ObservableGauge } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider as SdkMeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import {
  type DurationName,
  type Labels,
  type LevelName,
  METRICS,
  type Reading,
} from "#src/ports/telemetry.ts";
import { type Recorder, recording } from "./record.ts";

/** Seconds; from a rule set's fraction of a millisecond to a PA that takes its time. */
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Levels are asked from the database, which may be away. */
const READ_MS = 3_000;
/** Who asks more often gets the last answer, so that nobody keeps the database busy by asking. */
const FRESH_MS = 2_000;

/**
 * Every metric twice: for `/metrics` in a provider of our own, and in the one that was there before, which exports (Deno's,
 * or the SDK's on Node) or does nothing.
 */
export class Meters implements Recorder {
  readonly #reader = new TextReader();
  readonly #providers: readonly MeterProvider[];
  readonly #durations = new Map<DurationName, readonly Histogram[]>();
  readonly #levels = new Map<LevelName, readonly ObservableGauge[]>();

  constructor(exporting: MeterProvider) {
    this.#providers = [new SdkMeterProvider({ readers: [this.#reader] }), exporting];
  }

  record(name: DurationName, seconds: number, labels: Labels): void {
    let made = this.#durations.get(name);
    if (!made) {
      made = this.#providers.map((it) =>
        it.getMeter("passerelle").createHistogram(name, {
          description: METRICS[name].help,
          unit: "s",
          advice: { explicitBucketBoundaries: BOUNDARIES },
        })
      );
      this.#durations.set(name, made);
    }
    for (const it of made) it.record(seconds, labels);
  }

  watch(names: readonly LevelName[], read: () => Promise<readonly Reading[]>): () => void {
    const readings = remembered(read);
    const stops = names.flatMap((name) =>
      this.#level(name).map((gauge) => {
        const observe = async (result: { observe(value: number, labels?: Labels): void }) => {
          for (const it of await readings()) {
            if (it.metric === name) result.observe(it.value, it.labels ?? {});
          }
        };
        gauge.addCallback(observe);
        return () => gauge.removeCallback(observe);
      })
    );
    return () => stops.forEach((stop) => stop());
  }

  /** Prometheus' text format. What could not be read is left out. */
  async text(): Promise<string> {
    const { resourceMetrics } = await this.#reader.collect({ timeoutMillis: READ_MS + 1_000 });
    return new PrometheusSerializer("", false, undefined, true, true).serialize(resourceMetrics);
  }

  #level(name: LevelName): readonly ObservableGauge[] {
    const known = this.#levels.get(name);
    if (known) return known;
    const { help, ...metric } = METRICS[name];
    const options = { description: help, ..."unit" in metric && { unit: metric.unit } };
    const made = this.#providers.map((it) =>
      it.getMeter("passerelle").createObservableGauge(name, options)
    );
    this.#levels.set(name, made);
    return made;
  }
}

/** The meters of this process; undefined where none were installed yet. */
export function installedMeters(): Meters | undefined {
  const found = recording();
  return found instanceof Meters ? found : undefined;
}

/** Read when asked, and only then. */
class TextReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** One reading for all that ask at about the same time; none where it fails or takes too long. */
function remembered(
  read: () => Promise<readonly Reading[]>,
): () => Promise<readonly Reading[]> {
  let last: { at: number; readings: Promise<readonly Reading[]> } | undefined;
  return () => {
    const now = performance.now();
    if (last && now - last.at < FRESH_MS) return last.readings;
    const readings = inTime(read()).catch(() => []);
    last = { at: now, readings };
    return readings;
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The levels were not read in time")), READ_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
