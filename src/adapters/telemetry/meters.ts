import type { Histogram, Meter, MeterProvider, ObservableGauge } from "@opentelemetry/api";
import {
  type DurationName,
  type Labels,
  type LevelName,
  METRICS,
  type Reading,
} from "#src/ports/telemetry.ts";
import type { Printed } from "./prometheus.ts";
import { type Recorder, recording } from "./record.ts";

/** Seconds; from a rule set's fraction of a millisecond to a PA that takes its time. */
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Levels are asked from the database, which may be away. */
const READ_MS = 3_000;
/** Who asks more often gets the last answer, so that nobody keeps the database busy by asking. */
const FRESH_MS = 2_000;

/** So many measurements wait for whoever prints them first. */
const MOST_WAITING = 1_000;

/**
 * Every metric twice: for `/metrics` in a provider of our own, loaded when somebody asks for it, and in the one that was there
 * before, which exports (Deno's, or the SDK's on Node) or does nothing.
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

  watch(names: readonly LevelName[], read: () => Promise<readonly Reading[]>): () => void {
    const readings = remembered(read);
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

  /** Prometheus' text format. What could not be read is left out. */
  async text(): Promise<string> {
    const { text } = await this.#print();
    return await text(READ_MS + 1_000);
  }

  #printLater(measure: (instruments: Instruments) => void): void {
    if (this.#printed) return measure(this.#printed);
    this.#waiting.push(measure);
    if (this.#waiting.length > MOST_WAITING) void this.#print();
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

  watch(names: readonly LevelName[], readings: () => Promise<readonly Reading[]>): () => void {
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

/** The meters of this process; undefined where none were installed yet. */
export function installedMeters(): Meters | undefined {
  const found = recording();
  return found instanceof Meters ? found : undefined;
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
