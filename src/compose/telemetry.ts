import { statfs } from "node:fs/promises";
import process from "node:process";
import type { SharedClock } from "#src/adapters/postgres/clock.ts";
import { serve } from "#src/adapters/http_server/server.ts";
import { type OpenTelemetry, openTelemetry } from "#src/adapters/telemetry/mod.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import {
  INSTALLATION_LEVELS,
  installationLevels,
  scrapeDoor,
} from "#src/platform/telemetry/mod.ts";
import { socketAddress } from "#src/http/address.ts";
import { withFixedHeaders } from "#src/http/fixed_headers.ts";
import type { Log } from "#src/ports/log.ts";
import type { LevelName, LevelReading } from "#src/ports/telemetry.ts";

/** Creates the telemetry of this process, before any part can report measurements. */
export async function composeTelemetry(
  { telemetry: { exportTo, metricsEachMs, isOnInDeno } }: Pick<Config, "telemetry">,
  log: Log,
): Promise<OpenTelemetry> {
  if (exportTo !== undefined && "Deno" in globalThis && !isOnInDeno) {
    log.warn("telemetry.not_exported", {
      says: "Deno exports to OTEL_EXPORTER_OTLP_ENDPOINT where OTEL_DENO=true is set, too",
    });
  }
  return await openTelemetry({ exportTo, metricsEachMs });
}

const PROCESS_LEVELS: readonly LevelName[] = [
  "passerelle_database_connections",
  "passerelle_database_connections_most",
  "passerelle_live_clients",
  "passerelle_clock_offset_seconds",
  "passerelle_disk_free_bytes",
  "passerelle_resident_memory_bytes",
  "passerelle_info",
];

/**
 * Registers gauges of the installation and of this process, which are read on request. Returns a function that removes
 * them.
 */
export function watchLevels(
  deps: Pick<Deps, "database" | "db" | "live" | "settings" | "telemetry">,
  { clock, role, dataDir }: { clock: SharedClock; role: string; dataDir: string },
): () => void {
  const stops = [
    deps.telemetry.watch(INSTALLATION_LEVELS, () => installationLevels(deps)),
    deps.telemetry.watch(PROCESS_LEVELS, () => processLevels(deps, { clock, role, dataDir })),
  ];
  return () => stops.forEach((stop) => stop());
}

async function processLevels(
  { database, live, settings }: Pick<Deps, "database" | "live" | "settings">,
  { clock, role, dataDir }: { clock: SharedClock; role: string; dataDir: string },
): Promise<LevelReading[]> {
  const connections = database.connections?.();
  const disk = await statfs(dataDir).catch(() => undefined); // some machines offer no disk
  const { deno } = process.versions as Record<string, string | undefined>;
  const runtime = deno === undefined ? `node ${process.versions.node}` : `deno ${deno}`;
  return [
    ...connections
      ? [
        ...(["used", "idle", "waiting"] as const).map((state): LevelReading => ({
          metric: "passerelle_database_connections",
          labels: { state },
          value: connections[state],
        })),
        { metric: "passerelle_database_connections_most", value: connections.most } as const,
      ]
      : [],
    { metric: "passerelle_live_clients", value: live.clients() },
    { metric: "passerelle_clock_offset_seconds", value: clock.offMs() / 1000 },
    ...disk
      ? [{ metric: "passerelle_disk_free_bytes", value: disk.bavail * disk.bsize } as const]
      : [],
    { metric: "passerelle_resident_memory_bytes", value: process.memoryUsage().rss },
    {
      metric: "passerelle_info",
      labels: { version: settings.version, build: settings.build, role, runtime },
      value: 1,
    },
  ];
}

/** Serves `/metrics` for a process without HTTP if `METRICS_PORT` is set. */
export async function serveMetrics(
  { telemetry: { served, token } }: Pick<Config, "telemetry">,
  deps: Pick<Deps, "telemetry">,
): Promise<{ close(): Promise<void> }> {
  if (!served) return { close: () => Promise.resolve() };
  const door = scrapeDoor(deps, { token, isDirect: true });
  const answer = (request: Request, env?: unknown) =>
    door(request, socketAddress(env))?.then(withFixedHeaders) ??
      withFixedHeaders(new Response("", { status: 401 }));
  const server = await serve(answer, served);
  return { close: () => server.close(1_000) };
}
