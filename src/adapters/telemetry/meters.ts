import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import type { Histogram, Meter, MeterProvider, ObservableGauge } from "@opentelemetry/api";
import {
  type DurationName,
  type Labels,
  type LevelName,
  type LevelReading,
  METRICS,
} from "#src/ports/telemetry.ts";
import type { Printed } from "./prometheus.ts";
import { type Recorder, recording } from "./record.ts";

/** Seconds; from a rule set's fraction of a millisecond to a PA that takes its time. */
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Timeout of readings from the database, which may be unavailable. */
const READ_MS = 3_000;
/** Time for which readings are cached, so that frequent requests do not keep the database busy. */
const FRESH_MS = 2_000;

/** Maximum number of measurements stored before the first print. */
const MAX_WAITING = 1_000;

/**
 * Records every metric twice. One copy is for `/metrics`, in a provider of our own that is loaded on first use.
 * The other goes to the existing provider, which exports (Deno's, or the SDK's on Node) or does nothing.
 */
export class Meters implements Recorder {
  readonly #exported: Instruments;
  #printed: Instruments | undefined;
  #printing: Promise<Printed> | undefined;
  readonly #waiting: ((instruments: Instruments) => void)[] = [];

  constructor(exporting: MeterProvider) {
    this.#exported = new Instruments(exporting);
  }

  record(name: DurationName, seconds: number, labels: Labels): void {
    this.#exported.record(name, seconds, labels);
    this.#printLater((it) => it.record(name, seconds, labels));
  }

  watch(names: readonly LevelName[], read: () => Promise<readonly LevelReading[]>): () => void {
    const readings = shareReading(read);
    let isOver = false;
    const stops = [this.#exported.watch(names, readings)];
    this.#printLater((it) => {
      if (!isOver) stops.push(it.watch(names, readings));
    });
    return () => {
      isOver = true;
      stops.forEach((stop) => stop());
    };
  }

  /** Returns Prometheus' text format, without levels that could not be read. */
  async text(): Promise<string> {
    const { text } = await this.#print();
    return await text(READ_MS + 1_000);
  }

  #printLater(measure: (instruments: Instruments) => void): void {
    if (this.#printed) return measure(this.#printed);
    this.#waiting.push(measure);
    if (this.#waiting.length > MAX_WAITING) void this.#print();
  }

  #print(): Promise<Printed> {
    return this.#printing ??= import("./prometheus.ts").then(({ openPrinted }) => {
      const opened = openPrinted();
      const instruments = this.#printed = new Instruments(opened.provider);
      for (const measure of this.#waiting.splice(0)) measure(instruments);
      return opened;
    });
  }
}

/** The metrics of one provider, each made when it is first measured. */
class Instruments {
  readonly #meter: Meter;
  readonly #durations = new Map<DurationName, Histogram>();
  readonly #levels = new Map<LevelName, ObservableGauge>();

  constructor(provider: MeterProvider) {
    this.#meter = provider.getMeter("passerelle");
  }

  record(name: DurationName, seconds: number, labels: Labels): void {
    let made = this.#durations.get(name);
    if (!made) {
      made = this.#meter.createHistogram(name, {
        description: METRICS[name].help,
        unit: "s",
        advice: { explicitBucketBoundaries: BOUNDARIES },
      });
      this.#durations.set(name, made);
    }
    made.record(seconds, labels);
  }

  watch(names: readonly LevelName[], readings: () => Promise<readonly LevelReading[]>): () => void {
    const stops = names.map((name) => {
      const gauge = this.#level(name);
      const observe = async (result: { observe(value: number, labels?: Labels): void }) => {
        for (const it of await readings()) {
          if (it.metric === name) result.observe(it.value, it.labels ?? {});
        }
      };
      gauge.addCallback(observe);
      return () => gauge.removeCallback(observe);
    });
    return () => stops.forEach((stop) => stop());
  }

  #level(name: LevelName): ObservableGauge {
    let made = this.#levels.get(name);
    if (!made) {
      const { help, ...metric } = METRICS[name];
      const unit = "unit" in metric ? { unit: metric.unit } : {};
      made = this.#meter.createObservableGauge(name, { description: help, ...unit });
      this.#levels.set(name, made);
    }
    return made;
  }
}

/** Returns the meters of this process; undefined before they are installed. */
export function installedMeters(): Meters | undefined {
  const found = recording();
  return found instanceof Meters ? found : undefined;
}

/** Shares one reading among simultaneous requests; no reading if it fails or takes too long. */
function shareReading(
  read: () => Promise<readonly LevelReading[]>,
): () => Promise<readonly LevelReading[]> {
  const shared = newSharedValue(
    () => inTime(read()).catch((): readonly LevelReading[] => []),
    (_, ageMs) => ageMs < FRESH_MS,
  );
  return shared.get;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The levels were not read in time")), READ_MS);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
