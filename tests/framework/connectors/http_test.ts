import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sql } from "drizzle-orm";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { resultCache } from "#src/framework/connectors/mod.ts";
import { httpConnectorRoutes } from "#src/framework/connectors/http/routes.ts";
import { must } from "#tests/support/access.ts";
import { type Asked, startPeer } from "#tests/support/peer.ts";
import { startSettings } from "#tests/support/settings.ts";

const connector = (url: string, more = "", endpoints = ENDPOINTS) =>
  `version: 1
connectors:
  fx:
    type: http
    base_url: ${url}/v1
    headers: { X-App: passerelle }
${more}    endpoints:
${endpoints}`;

const ENDPOINTS = `      latest:
        path: /latest/{base}
        query: { symbols: "{symbols}", tag: "{tags}", limit: 10 }
        headers: { X-Base: "{base}" }
        params:
          base: { type: string, required: true, pattern: "^[^0-9]+$" }
          symbols: { type: array<string> }
          tags: { type: array<string>, style: repeat }
        response:
          items: $.rates[*]
          value: $.date
          map: { usd: { path: "$.usd", type: decimal }, none: $.nothing }
          error: $.error.message
      create:
        method: POST
        path: /tickets
        body: { title: "{title}", amount: "{amount}", text: "a {title}", open: true }
        params: { title: { type: string, required: true }, amount: { type: decimal } }
      keyed:
        method: POST
        path: /keyed
        idempotency_key: "{id}"
        params: { id: { type: string, required: true } }
`;

async function started(
  peer: { url: string },
  text = connector(peer.url),
  privateHosts = ["127.0.0.1"],
) {
  const settings = await startSettings({
    routes: (deps) =>
      httpConnectorRoutes(
        { ...deps, egress: httpEgress({ privateHosts }), cache: resultCache(deps) } as Parameters<
          typeof httpConnectorRoutes
        >[0],
      ),
  });
  await must(settings.write("connectors", text), 200);
  await settings.heard(1);
  const run = (endpoint: string, params: object, token = settings.admin) =>
    settings.call("POST", `/api/http/fx/${endpoint}`, { token, body: params });
  return { ...settings, run, [Symbol.asyncDispose]: settings[Symbol.asyncDispose] };
}

Deno.test("an endpoint is called with its parameters where they belong, and its answer is read as it says", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  peer.answers(() => ({
    body: { rates: [{ c: "USD" }, { c: "CHF" }], date: "2026-11-22", usd: 1.09 },
  }));
  const { body } = await must(
    settings.run("latest", { base: "a/b ?", symbols: ["USD", "C,F"], tags: ["x", "y"] }),
    200,
  );
  const [call] = peer.asked;
  assertEquals(call?.url, "/v1/latest/a%2Fb%20%3F?symbols=USD%2CC%2CF&tag=x&tag=y&limit=10");
  assertEquals([call?.headers["x-app"], call?.headers["x-base"]], ["passerelle", "a/b ?"]);
  assertEquals([body.status, body.ok, body.items, body.value, body.outputs, body.cached], [
    200,
    true,
    [{ c: "USD" }, { c: "CHF" }],
    "2026-11-22",
    { usd: "1.09", none: null },
    false,
  ]);
  peer.answers(() => ({ text: '{"usd":12345678901234567.89,"date":9007199254740993}' }));
  const long = await must(settings.run("latest", { base: "a" }), 200);
  assertEquals([long.body.value, long.body.outputs.usd], [
    "9007199254740993",
    "12345678901234567.89",
  ]);
  peer.answers(() => ({ status: 201, body: { id: 7 } }));
  await must(settings.run("create", { title: 'the "first"', amount: "12.50" }), 200);
  assertEquals(JSON.parse(peer.asked.at(-1)?.body ?? ""), {
    title: 'the "first"',
    amount: 12.5,
    text: 'a the "first"',
    open: true,
  });
});

Deno.test("no call leaves the connector's address, and wrong parameters reach no peer", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  const cases: readonly [object, string][] = [
    [{}, "base is missing"],
    [{ base: ".." }, "A parameter cannot be"],
    [{ base: "EUR1" }, "base does not match"],
    [{ base: "EUR", simbols: [] }, "did you mean symbols?"],
    [{ base: "EUR\r\nX-Evil: yes" }, "character it may not"],
  ];
  for (const [params, sentence] of cases) {
    const { status, body } = await settings.run("latest", params);
    assertEquals([status, body.detail.includes(sentence)], [400, true], JSON.stringify(body));
  }
  assertEquals(peer.asked.length, 0);
  const { token } = await settings.userWith("berta", ["api:fx:create"]);
  const refused = await settings.run("latest", { base: "EUR" }, token);
  assertEquals([refused.status, refused.body.permission], [403, "api:fx:latest"]);
  assertEquals((await settings.run("nothing", {})).status, 404);
});

Deno.test("a peer in a private network is called if the operator lists it, whatever its connector says", async () => {
  await using peer = await startPeer();
  const once = "    retry: { max_attempts: 1 }\n    network: { allow_private: true }\n";
  await using settings = await started(peer, connector(peer.url, once), []);
  const { status, body } = await settings.run("latest", { base: "EUR" });
  assertEquals([status, peer.asked.length], [502, 0]);
  assertStringIncludes(body.detail, "must be listed in PRIVATE_HOSTS");
  const text = connector(peer.url, once).replace("X-App: passerelle", "X-App: changed");
  const saved = await must(settings.write("connectors", text), 200);
  assertStringIncludes(
    saved.body.warning,
    "connectors.fx.network.allow_private has no effect: the operator lists hosts",
  );
});

Deno.test("a call may wait for longer than a timer counts", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer, connector(peer.url, "    timeout: 30d\n"));
  await must(settings.run("latest", { base: "EUR" }), 200);
});

Deno.test("failed calls are retried if that is harmless, after the pause the peer requests", async () => {
  await using peer = await startPeer();
  const retry = "    retry: { max_attempts: 3, delay: 10ms }\n";
  await using settings = await started(peer, connector(peer.url, retry));
  peer.answers((_, n) => n < 3 ? { status: 503, headers: { "retry-after": "0" } } : { body: {} });
  await must(settings.run("latest", { base: "EUR" }), 200);
  assertEquals(peer.asked.length, 3);
  peer.answers(() => ({ status: 503, body: { error: { message: "down" } } }));
  const failed = await settings.run("latest", { base: "EUR" });
  assertEquals([failed.status, failed.body.upstream_status, peer.asked.length], [502, 503, 6]);
  assertStringIncludes(failed.body.detail, "fx:latest answered HTTP 503: down");
  assertStringIncludes(failed.body.answer, '"message": "down"');
  assertEquals(typeof failed.body.duration_ms, "number");
  await settings.run("create", { title: "once" });
  assertEquals(peer.asked.length, 7, "a POST without a key is sent once");
  await settings.run("keyed", { id: "k-1" });
  assertEquals(peer.asked.slice(7).map((it) => it.headers["idempotency-key"]), [
    "k-1",
    "k-1",
    "k-1",
  ]);
});

Deno.test("a peer that does not answer is waited for as long as its time allows", async () => {
  await using peer = await startPeer();
  await using settings = await started(
    peer,
    connector(peer.url, "    timeout: 200ms\n    retry: { max_attempts: 1 }\n"),
  );
  peer.answers(() => "hang");
  const { status, body } = await settings.run("latest", { base: "EUR" });
  assertEquals(status, 504);
  assertStringIncludes(body.detail, "did not answer within 0.2 s");
});

Deno.test("a peer that fails again and again is left alone by all, until one call finds it well", async () => {
  await using peer = await startPeer();
  const more =
    "    retry: { max_attempts: 1 }\n    circuit_breaker: { failures: 2, window: 1m, reset: 1m }\n";
  await using settings = await started(peer, connector(peer.url, more));
  peer.answers(() => ({ status: 500 }));
  for (let n = 0; n < 2; n++) {
    assertEquals((await settings.run("latest", { base: "EUR" })).status, 502);
  }
  const open = await settings.run("latest", { base: "EUR" });
  assertEquals([open.status, peer.asked.length], [503, 2]);
  assert(Number(open.headers.get("retry-after")) > 50);
  await settings.database.db.execute(sql`update breakers set until = now()`);
  peer.answers(() => ({ body: {} }));
  await must(settings.run("latest", { base: "EUR" }), 200);
  await must(settings.run("latest", { base: "EUR" }), 200);
});

Deno.test("calls beyond the connector's rate wait, and are refused if the wait is too long", async () => {
  await using peer = await startPeer();
  await using settings = await started(
    peer,
    connector(peer.url, "    rate_limit: { requests: 2, per: 1h }\n"),
  );
  for (let n = 0; n < 2; n++) await must(settings.run("latest", { base: "EUR" }), 200);
  const third = await settings.run("latest", { base: "EUR" });
  assertEquals([third.status, peer.asked.length], [503, 2]);
  assertStringIncludes(third.body.detail, "All calls of fx are used up for now");
});

Deno.test("every way of proving who calls, and no secret in any answer or error", async () => {
  await using peer = await startPeer();
  const ways: readonly [auth: string, seen: (call: Asked) => unknown, wanted: unknown][] = [
    [
      "{ type: basic, user: me, password: s3cret-basic }",
      (it) => it.headers.authorization,
      `Basic ${btoa("me:s3cret-basic")}`,
    ],
    [
      "{ type: bearer, token: s3cret-bearer }",
      (it) => it.headers.authorization,
      "Bearer s3cret-bearer",
    ],
    [
      "{ type: api_key, in: header, name: X-Key, value: s3cret-key }",
      (it) => it.headers["x-key"],
      "s3cret-key",
    ],
    [
      "{ type: api_key, in: query, name: key, value: s3cret-query }",
      (it) => new URL(it.url, "http://x").searchParams.get("key"),
      "s3cret-query",
    ],
  ];
  for (const [auth, seen, wanted] of ways) {
    await using settings = await started(peer, connector(peer.url, `    auth: ${auth}\n`));
    peer.asked.length = 0;
    peer.answers((it) => ({ status: 500, body: { error: { message: `you sent ${seen(it)}` } } }));
    const failed = await settings.run("keyed", { id: "1" });
    assertEquals(seen(peer.asked[0] as Asked), wanted);
    assert(!JSON.stringify(failed.body).includes("s3cret"), JSON.stringify(failed.body));
    peer.answers((it) => ({ body: { date: String(seen(it)) } }));
    const { body } = await must(settings.run("latest", { base: "EUR" }), 200);
    assert(!JSON.stringify(body).includes("s3cret"), JSON.stringify(body));
    assert(!(await settings.text("connectors")).includes("s3cret"), "sealed at rest");
  }
});

Deno.test("a token is fetched once, shared, and fetched again after a 401", async () => {
  await using peer = await startPeer();
  const auth =
    `    auth: { type: oauth2_client_credentials, token_url: "${peer.url}/token", client_id: me, client_secret: s3cret, scope: rates }\n`;
  await using settings = await started(peer, connector(peer.url, auth));
  let valid = "t1";
  let given = 0;
  peer.answers((it) => {
    if (it.url === "/token") {
      given++;
      return { body: { access_token: valid, token_type: "Bearer", expires_in: 3600 } };
    }
    return it.headers.authorization === `Bearer ${valid}` ? { body: {} } : { status: 401 };
  });
  await Promise.all([1, 2, 3].map(() => must(settings.run("latest", { base: "EUR" }), 200)));
  assertEquals(given, 1);
  const token = peer.asked.find((it) => it.url === "/token");
  assertEquals([token?.headers.authorization, token?.body], [
    `Basic ${btoa("me:s3cret")}`,
    "grant_type=client_credentials&scope=rates",
  ]);
  valid = "t2";
  await must(settings.run("latest", { base: "EUR" }), 200);
  assertEquals(given, 2);
});

Deno.test("redirects are followed as far as the connector allows, and to no other host", async () => {
  await using peer = await startPeer();
  const text = connector(peer.url, "    network: { max_redirects: 2 }\n");
  await using settings = await started(peer, text);
  const to = (location: string) => ({ status: 302, headers: { location } });
  peer.answers((it) => it.url.startsWith("/v1") ? to("/next?x=1") : { body: { date: "there" } });
  assertEquals((await must(settings.run("latest", { base: "EUR" }), 200)).body.value, "there");
  peer.answers(() => to("/again"));
  assertStringIncludes(
    (await settings.run("latest", { base: "EUR" })).body.detail,
    "redirects more than 2 times",
  );
  peer.answers(() => to("http://evil.example/"));
  assertStringIncludes(
    (await settings.run("latest", { base: "EUR" })).body.detail,
    "another host: evil.example",
  );
});

Deno.test("an endpoint is tried before it is stored, and has no effect unless requested", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  const tryIt = (body: object) =>
    settings.call("POST", "/admin/config/api/test", { token: settings.admin, body });
  const as = async (name: string, codes: readonly string[]) => {
    const { token } = await settings.userWith(name, ["settings:connectors", ...codes]);
    const body = { connector: "fx", endpoint: { path: "/c" } };
    return await settings.call("POST", "/admin/config/api/test", { token, body });
  };
  const get = {
    connector: "fx",
    endpoint: { path: "/a/{x}", params: { x: { type: "integer" } } },
    params: { x: 5 },
  };
  assertEquals((await must(tryIt(get), 200)).body.status, 200);
  assertEquals(peer.asked[0]?.url, "/v1/a/5");
  const post = { connector: "fx", endpoint: { method: "POST", path: "/b" } };
  assertEquals([(await tryIt(post)).status, peer.asked.length], [400, 1]);
  await must(tryIt({ ...post, write: true }), 200);
  assertEquals((await tryIt({ ...get, connector: "nothing" })).status, 404);
  for (const [name, codes] of [["author", []], ["caller", ["api:fx:latest"]]] as const) {
    assertEquals((await as(name, codes)).body.permission, "api:fx:*", name);
  }
  await must(as("tester", ["api:fx:*"]), 200);
  const elsewhere = await tryIt({ ...get, endpoint: { path: "//evil.example/a" } });
  assertEquals([elsewhere.status, elsewhere.body.detail], [
    422,
    "endpoint.path: a path that begins with one slash: /orders is expected",
  ]);
});

Deno.test("an endpoint that refers to missing parts is refused when it is saved", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  const save = (from: string, to: string) =>
    settings.write("connectors", connector(peer.url).replace(from, to));
  assertStringIncludes(
    (await save("/latest/{base}", "/latest/{bas}")).body.detail,
    "{bas} is not one of its parameters",
  );
  assertStringIncludes(
    (await save("$.rates[*]", "$.rates[")).body.detail,
    "no JSONPath (RFC 9535)",
  );
  assertStringIncludes(
    (await save("path: /tickets", "path: /tickets\n        cache: { ttl: 1m }")).body.detail,
    "answers of GET alone",
  );
});

Deno.test("a cached answer serves the same call of others, and parallel callers call the peer once", async () => {
  await using peer = await startPeer();
  const text = connector(peer.url).replace(
    "path: /latest/{base}",
    "path: /latest/{base}\n        cache: { ttl: 1h }",
  );
  await using settings = await started(peer, text);
  peer.answers((_, n) => ({ body: { date: `answer ${n}` } }));
  const ask = async (base: string) => (await must(settings.run("latest", { base }), 200)).body;
  const first = await Promise.all([ask("EUR"), ask("EUR"), ask("EUR")]);
  assertEquals(first.map((it) => it.value), ["answer 1", "answer 1", "answer 1"]);
  assertEquals([(await ask("EUR")).cached, (await ask("USD")).value], [true, "answer 2"]);
  assertEquals(peer.asked.length, 2);
});

Deno.test("headers that hold secrets are sealed at rest, sent in the clear and shown to nobody", async () => {
  await using peer = await startPeer();
  const text = connector(peer.url, "")
    .replace("headers: { X-App: passerelle }", "headers: { X-Api-Key: s3cret-one }")
    .replace('headers: { X-Base: "{base}" }', "headers: { Authorization: Bearer s3cret two(1) }");
  await using settings = await started(peer, text);
  assert(!(await settings.text("connectors")).includes("s3cret"));
  peer.answers((it) => ({
    body: {
      date: `${it.headers["x-api-key"]} ${it.headers.authorization} s3cret+two%281%29`,
    },
  }));
  const { body } = await must(settings.run("latest", { base: "EUR" }), 200);
  const [call] = peer.asked;
  assertEquals([call?.headers["x-api-key"], call?.headers.authorization], [
    "s3cret-one",
    "Bearer s3cret two(1)",
  ]);
  assert(!JSON.stringify(body).includes("s3cret"), JSON.stringify(body));
});

Deno.test("secrets under usual names are sealed, masked and sent, wherever an endpoint holds them", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  const secrets = {
    headers: { "Ocp-Apim-Subscription-Key": "s-one", "X-Auth": "s-two", "X-Signature": "s-three" },
    query: { api_key: "s-four", page: "1" },
    body: { password: "s-five", nested: [{ client_secret: "s-six" }], name: "plain" },
  };
  const text = connector(
    peer.url,
    "",
    `      send: ${JSON.stringify({ method: "POST", path: "/send", ...secrets })}\n`,
  );
  await must(settings.write("connectors", text), 200);
  await settings.heard(2);
  const shown = JSON.stringify([
    await settings.text("connectors"),
    (await settings.call("GET", "/admin/config/connectors/parsed", { token: settings.admin })).body,
  ]);
  assertEquals(shown.match(/s-(one|two|three|four|five|six)/g), null, shown);
  assertStringIncludes(shown, "plain");
  peer.answers(() => ({ body: { echo: "s-five" } }));
  const { body } = await must(settings.run("send", {}), 200);
  const [call] = peer.asked;
  assertEquals(JSON.stringify(body).includes("s-five"), false);
  assertEquals(call?.url, "/v1/send?api_key=s-four&page=1");
  assertEquals(JSON.parse(call?.body ?? ""), secrets.body);
  assertEquals(
    ["ocp-apim-subscription-key", "x-auth", "x-signature"].map((it) => call?.headers[it]),
    ["s-one", "s-two", "s-three"],
  );
});

Deno.test("a connector sets no header of the transport, and no value that could begin another header", async () => {
  await using peer = await startPeer();
  await using settings = await started(peer);
  const cases: readonly [string, string][] = [
    ["Host: evil.example", "Host is set by the transport"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding is set by the transport"],
    ['X-Note: "a\\r\\nHost: evil"', "the value of X-Note holds a control character"],
  ];
  for (const [header, sentence] of cases) {
    const text = connector(peer.url).replace("X-App: passerelle", header);
    const { status, body } = await settings.write("connectors", text);
    assertEquals(
      [status, JSON.stringify(body).includes(sentence)],
      [422, true],
      JSON.stringify(body),
    );
  }
  const auth = "    auth: { type: api_key, in: header, name: Content-Length, value: x }\n";
  assertEquals((await settings.write("connectors", connector(peer.url, auth))).status, 422);
});
