import { assert, assertEquals, assertMatch } from "@std/assert";
import { startCollector } from "#tests/support/collector.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { writeText } from "#tests/support/folder.ts";
import { freePort } from "#tests/support/processes.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const servers = deps("PostgreSQL", postgresUrl).ignore
  ? deps("PostgreSQL", postgresUrl)
  : deps("Redis", redisUrl);

const exporting = (url: string, service: string) => ({
  OTEL_DENO: "true",
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_METRIC_EXPORT_INTERVAL: "500",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  OTEL_SERVICE_NAME: service,
});

async function run(url: string, file: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
  });
  return { status: answer.status, body: await answer.json() };
}

longTest({
  name: "one trace goes from the call over its tasks to SaxonJS, the PA and the notification",
  ...servers,
  async fn(t) {
    await using collector = await startCollector();
    await using fleet = await startFleet({ workers: 0 });
    const metricsPort = await freePort();
    const web = await fleet.startWeb(exporting(collector.url, "web"));
    const worker = await fleet.startWorker({
      ...exporting(collector.url, "worker"),
      METRICS_PORT: String(metricsPort),
    });
    const rule = {
      name: "sent",
      type: "notification-rule",
      properties: {
        enabled: "Y",
        "trigger.status": "9906",
        "channel.email": "Y",
        "email.list": "ann@example.fr",
      },
    };
    const saved = await fetch(`${web.url}/api/templates`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(rule),
    });
    assertEquals(saved.status, 200, await saved.text());
    await writeText(fleet.files, "in/one.xml", await erpBurst(1, 720_000));
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const caller = "b7ad6b7169203331";
    await run(web.url, "in/one.xml", { traceparent: `00-${traceId}-${caller}-01` });
    await fleet.quiet();
    const mine = () => collector.spans.filter((it) => it.traceId === traceId);
    const name = (name: string) => mine().find((it) => it.name === name);
    const expected = [
      "POST /api/run",
      "task split_run",
      "task process_items",
      "transform",
      "task submit_invoice",
      "PA POST",
      "task notify_status",
      "task deliver_notification",
    ];

    await t.step("all of it is one trace, of two processes", async () => {
      await until(
        () => expected.every(name),
        `the spans; there are ${mine().map((it) => it.name)}`,
      );
      assertEquals(new Set(mine().map((it) => it.service)), new Set(["web", "worker"]));
      assertEquals(name("task submit_invoice")?.service, "worker");
    });

    await t.step("every span hangs on another one, up to the caller's", async () => {
      const loose = () => {
        const ids = new Set([caller, ...mine().map((it) => it.spanId)]);
        return mine().filter((it) => !ids.has(it.parentSpanId)).map((it) => it.name);
      };
      // A parent span ends and is sent after its children.
      await until(() => loose().length === 0, `what hangs on nothing: ${loose()}`);
    });

    await t.step("metrics are sent, too", () =>
      until(
        () =>
          [
            "passerelle_http_request_duration_seconds",
            "passerelle_pa_call_duration_seconds",
            "passerelle_tasks",
          ].every((it) => collector.metrics.has(it)),
        `the metrics; there are ${[...collector.metrics]}`,
      ));

    await t.step("log lines of both processes carry the trace", async () => {
      await writeText(fleet.files, "in/broken.xml", "<R42565>");
      await run(web.url, "in/broken.xml", { traceparent: `00-${traceId}-${caller}-01` });
      const lines = () => worker.output().split("\n").filter((it) => it.includes(traceId));
      await until(() => lines().length > 0, "a log line with the trace");
      assertMatch(lines()[0] ?? "", new RegExp(`"traceId":"${traceId}"`));
    });

    await t.step("each process prints its measurements", async () => {
      const [ofWeb, ofWorker] = await Promise.all(
        [`${web.url}/metrics`, `http://127.0.0.1:${metricsPort}/metrics`]
          .map(async (it) => await (await fetch(it)).text()),
      );
      assertMatch(
        ofWeb ?? "",
        /_seconds_count\{method="POST",route="\/api\/run",status="200"\} \d/,
      );
      assertMatch(
        ofWorker ?? "",
        /passerelle_pa_call_duration_seconds_count\{peer="sandbox",method="POST",outcome="20\d"\} \d/,
      );
      assertMatch(
        ofWorker ?? "",
        /passerelle_rules_duration_seconds_count\{set="EN16931[^"]*"\} \d/i,
      );
      assertMatch(
        ofWorker ?? "",
        /passerelle_transform_duration_seconds_count\{outcome="done"\} \d/,
      );
      assertMatch(ofWorker ?? "", /passerelle_database_connections\{state="idle"\} \d/);
    });
  },
});

longTest({
  name: "a hanging or missing collector delays nothing, at work or at the end",
  ...servers,
  async fn() {
    await using collector = await startCollector({ hangs: true });
    await using fleet = await startFleet({ workers: 0 });
    const web = await fleet.startWeb(exporting(collector.url, "web"));
    const worker = await fleet.startWorker(exporting(collector.url, "worker"));
    const other = await fleet.startWorker(
      exporting(`http://127.0.0.1:${await freePort()}`, "down"),
    );
    await writeText(fleet.files, "in/burst.xml", await erpBurst(20, 730_000));
    await run(web.url, "in/burst.xml");
    await fleet.quiet();
    assertEquals(takenNumbers(await fleet.sandbox.truth()), getNumbers(20, 730_000));
    await until(() => collector.calls() > 0, "the collector to be called");
    for (const it of [web, worker, other]) {
      await it.stop();
      // If the collector hangs, Deno cannot exit by itself: see `leave`.
      const { exitCode, signalCode } = it.child;
      assert(exitCode === 0 || signalCode === "SIGKILL", it.output().slice(-500));
    }
  },
});
