import { assert, assertEquals, assertMatch } from "@std/assert";
import { openTelemetry } from "#src/adapters/telemetry/mod.ts";
import { scrapeDoor } from "#src/platform/telemetry/mod.ts";
import { metricsRoutes } from "#src/platform/telemetry/routes.ts";
import { httpTier } from "#src/http/tier.ts";
import { startAccess } from "#tests/support/access.ts";

const TOKEN = "a token for the scraper";

Deno.test("metrics requires its permission", async () => {
  await using telemetry = await openTelemetry({ exportTo: undefined, metricsEachMs: 60_000 });
  await using it = await startAccess({ routes: () => [metricsRoutes({ telemetry })] });
  const reader = await it.userWith("ann", ["metrics:read"]);
  const other = await it.userWith("bob", ["invoices:read"]);
  const read = (token?: string) => it.request("GET", "/metrics", { token });
  const [stranger, denied, answer] = [
    await read(),
    await read(other.token),
    await read(reader.token),
  ];
  assertEquals([stranger.status, denied.status, answer.status], [401, 403, 200]);
  await Promise.all([stranger, denied].map((it) => it.body?.cancel()));
  assertMatch(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  await answer.text();
});

Deno.test("without an account the metrics are for the token, and for this machine without a proxy in front", async () => {
  await using telemetry = await openTelemetry({ exportTo: undefined, metricsEachMs: 60_000 });
  const opens = async (
    { from = "192.0.2.1", isDirect = true, token, ...request }: {
      from?: string;
      isDirect?: boolean;
      token?: string | undefined;
      headers?: Record<string, string>;
      path?: string;
      method?: string;
    },
  ) => {
    const door = scrapeDoor({ telemetry }, { token, isDirect });
    const { path = "/metrics", method = "GET", headers = {} } = request;
    const answer = await door(new Request(`http://localhost${path}`, { method, headers }), from);
    await answer?.body?.cancel();
    return answer?.status === 200;
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  assert(await opens({ token: TOKEN, headers: bearer(TOKEN) }));
  assert(await opens({ from: "127.0.0.1" }));
  assert(await opens({ from: "::1" }));
  assert(await opens({ from: "::ffff:127.0.0.1" }));
  const refused = {
    "a stranger": {},
    "another token": { token: TOKEN, headers: bearer("a token for somebody") },
    "a token where none is set": { headers: bearer("undefined") },
    "an empty token": { token: TOKEN, headers: bearer("") },
    "through a proxy that says so": {
      from: "127.0.0.1",
      headers: { "x-forwarded-for": "192.0.2.1" },
    },
    "a page under a name that points here": {
      from: "127.0.0.1",
      headers: { host: "rebound.example:8080" },
    },
    "through a proxy that is configured": { from: "127.0.0.1", isDirect: false },
    "another path": { from: "127.0.0.1", path: "/api/invoices" },
    "another method": { from: "127.0.0.1", method: "POST" },
    "an address that only looks like it": { from: "127.0.0.1.example" },
  };
  for (const [who, call] of Object.entries(refused)) assert(!await opens(call), who);
});

Deno.test("a level that cannot be read leaves the others, and is printed with its labels escaped", async () => {
  await using telemetry = await openTelemetry({ exportTo: undefined, metricsEachMs: 60_000 });
  const stops = [
    telemetry.watch(["passerelle_tasks"], () => Promise.reject(new Error("the database is away"))),
    telemetry.watch(["passerelle_breaker_open"], () =>
      Promise.resolve([
        { metric: "passerelle_breaker_open", labels: { peer: 'a"b\nc' }, value: 1 },
      ])),
  ];
  const text = await telemetry.print();
  stops.forEach((stop) => stop());
  assertMatch(text, /^passerelle_breaker_open\{peer="a\\"b\\nc"\} 1$/m);
  assert(!/^passerelle_tasks\{/m.test(text));
});

Deno.test("a method or path somebody makes up is no label of its own", async () => {
  await using telemetry = await openTelemetry({ exportTo: undefined, metricsEachMs: 60_000 });
  await using it = await startAccess();
  const app = httpTier(() => [metricsRoutes({ telemetry })], {
    access: it.access,
    log: it.deps.log,
    version: "0",
    telemetry,
  });
  for (const [method, path] of [["BREW", "/metrics"], ["GET", "/made-up"]] as const) {
    await (await app.request(path, { method })).body?.cancel();
  }
  const text = await telemetry.print();
  assertMatch(text, /_count\{method="OTHER",route="none",status="40\d"\} 1/);
  assertMatch(text, /_count\{method="GET",route="none",status="404"\} 1/);
  assert(!text.includes("made-up") && !text.includes("BREW"));
});
