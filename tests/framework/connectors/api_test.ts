import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { permissionSet } from "#src/domain/permission/mod.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function startPeer(answer: (seen: Seen, response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { method: request.method, url: request.url, headers: request.headers, body };
    seen.push(one);
    answer(one, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    seen,
    host,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const SECRET = "tok-7f/3a+9 é";

function connector(host: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    kind: "api",
    URL: `http://${host}/v1`,
    apiToken: SECRET,
    headers: "X-Client: passerelle",
    "endpoint.rate": JSON.stringify({
      label: "Rate",
      url: "/rates/{base}?symbol={symbol}&access_key={$apiToken}",
      headers: "Authorization: Bearer {$headerToken}\nX-Lang: {lang}",
      responseField: "rates.EUR",
      description: "The rate of a currency",
      params: "base|Base currency;symbol|Symbol|EUR;lang|Language|fr",
      mappings: { rate: "rates.EUR", when: "date", none: "no.such" },
    }),
    "endpoint.create": JSON.stringify({
      url: "/tickets",
      method: "POST",
      body: { title: "{title}", tags: ["{tag}"] },
      mappings: { id: "id" },
    }),
    headerToken: "abc-header-token",
    ...more,
  };
}

async function save(product: TestProduct, properties: Record<string, string>, name = "fx") {
  const answer = await product.post("/api/templates", { name, type: "connector", properties });
  assertEquals([answer.status, answer.body], [200, { success: true }]);
}

Deno.test("an endpoint of a connector is listed and called as the invoicing API says", async (t) => {
  await using peer = await startPeer((seen, response) => {
    if (seen.url?.includes("/fail")) return void response.writeHead(503).end("later");
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        date: "2026-11-20",
        rates: { EUR: 0.91 },
        id: 7,
        echo: seen.headers.authorization,
        q: seen.url,
      }),
    );
  });
  await using product = await startProduct();
  await save(
    product,
    connector(peer.host, {
      "endpoint.fail": JSON.stringify({ url: "/fail" }),
      "endpoint.other": JSON.stringify({ url: "/x", responseField: "rates.USD" }),
    }),
  );
  const call = (endpoint: string, params: unknown = {}) =>
    product.post(`/api/connectors?name=fx&endpoint=${endpoint}`, { params });

  await t.step("GET lists the endpoints with every field", async () => {
    const { status, body } = await product.get("/api/connectors?name=fx");
    assertEquals([status, body.success], [200, true]);
    assertEquals(body.endpoints.map((it: { name: string }) => it.name), [
      "create",
      "fail",
      "other",
      "rate",
    ]);
    assertEquals(body.endpoints[3], {
      name: "rate",
      label: "Rate",
      url: `http://${peer.host}/v1/rates/{base}?symbol={symbol}&access_key={$apiToken}`,
      method: "GET",
      headers: "X-Client: passerelle\nAuthorization: Bearer {$headerToken}\nX-Lang: {lang}",
      body: "",
      responseField: "rates.EUR",
      description: "The rate of a currency",
      params: "base|Base currency;symbol|Symbol|EUR;lang|Language|fr",
    });
  });
  await t.step(
    "POST fills address and headers and extracts the field; E4 secrets are masked wherever they come back",
    async () => {
      const { status, body } = await call("rate", { base: "US/D", symbol: "A&B" });
      assertEquals([status, body.success, body.statusCode, body.extractedValue], [
        200,
        true,
        200,
        0.91,
      ]);
      assertEquals(
        body.requestUrl,
        `http://${peer.host}/v1/rates/US%2FD?symbol=A%26B&access_key=***`,
      );
      const seen = peer.seen.at(-1);
      assertEquals(
        seen?.url,
        `/v1/rates/US%2FD?symbol=A%26B&access_key=${encodeURIComponent(SECRET)}`,
      );
      assertEquals([
        seen?.headers.authorization,
        seen?.headers["x-lang"],
        seen?.headers["x-client"],
      ], ["Bearer abc-header-token", "fr", "passerelle"]);
      for (const secret of [SECRET, encodeURIComponent(SECRET), "abc-header-token"]) {
        assert(!JSON.stringify(body).includes(secret), secret);
      }
    },
  );
  await t.step("a body stays JSON with any values", async () => {
    const { body } = await call("create", { title: `a", "admin": "1`, tag: "é\n" });
    assertEquals(body.success, true);
    assertEquals(JSON.parse(peer.seen.at(-1)?.body ?? ""), {
      title: `a", "admin": "1`,
      tags: ["é\n"],
    });
    assertEquals(peer.seen.at(-1)?.headers["content-type"], "application/json");
  });
  await t.step("a peer's failure is an answer", async () => {
    const { status, body } = await call("fail");
    assertEquals([status, body.success, body.statusCode, body.body, body.error], [
      200,
      false,
      503,
      "later",
      "HTTP 503",
    ]);
  });
  await t.step("E3 a missing responseField is said", async () => {
    const { body } = await call("other");
    assertEquals([body.success, body.extractedValue, body.error], [
      true,
      null,
      "The answer has no field rates.USD",
    ]);
  });
  await t.step("missing or unknown parameters are named", async () => {
    const cases: [path: string, body: unknown, status: number, says: RegExp][] = [
      ["?name=fx&endpoint=rate", { params: {} }, 400, /parameter base is missing/],
      ["?name=fx&endpoint=rate", { params: { base: "x", colour: 1 } }, 400, /colour/],
      ["?name=fx&endpoint=rate", { params: { base: ".." } }, 400, /address/],
      [
        "?name=fx&endpoint=rate",
        { params: { base: "x", lang: "a\r\nb: c" } },
        400,
        /x-lang|X-Lang/i,
      ],
      ["?name=fx&endpoint=none", { params: {} }, 404, /fx\/none/],
      ["?name=none&endpoint=x", { params: {} }, 404, /none/],
      ["?name=global&endpoint=x", { params: {} }, 404, /global/],
      ["?name=fx%3Ax&endpoint=x", { params: {} }, 404, /./],
      ["?name=fx&endpoint=*", { params: {} }, 404, /./],
      ["?name=fx&endpoint=__proto__", { params: {} }, 404, /./],
      ["?name=fx", { params: {} }, 400, /endpoint/],
    ];
    for (const [path, request, status, says] of cases) {
      const answer = await product.post(`/api/connectors${path}`, request);
      assertEquals([answer.status, answer.body.success], [status, false], path);
      assertMatch(answer.body.error, says);
    }
  });
  await t.step(
    "for the product itself the outcome has the mappings, and the permission is looked at",
    async () => {
      const one = { connector: "fx", target: "rate", params: { base: "USD" } };
      const holder = { username: "u", permissions: permissionSet(["api:fx:rate"]) };
      assertEquals(await product.deps.connectors.permissionFor(one), "api:fx:rate");
      assertEquals(
        await product.deps.connectors.permissionFor({ ...one, target: "none" }),
        undefined,
      );
      assertEquals(await product.deps.connectors.call({ ...one, as: holder, key: "k1" }), {
        kind: "api",
        success: true,
        statusCode: 200,
        outputs: { rate: 0.91, when: "2026-11-20", none: null },
      });
      await product.deps.connectors.call({
        connector: "fx",
        target: "create",
        params: { title: "a", tag: "b" },
        as: { username: "u", permissions: permissionSet(["api:fx:create"]) },
        key: "k2",
      });
      assertEquals(peer.seen.at(-1)?.headers["idempotency-key"], "k2");
      const before = peer.seen.length;
      const refused = await product.deps.connectors.call({
        ...one,
        as: { username: "u", permissions: permissionSet(["api:fx:create"]) },
      });
      assertEquals([refused.success, String(refused.error), peer.seen.length], [
        false,
        "u does not hold api:fx:rate",
        before,
      ]);
    },
  );
});

Deno.test("E1 a connector calls the hosts it lists, and of a private network those that the operator lists", async () => {
  await using peer = await startPeer((_, response) => void response.end("reached"));
  await using product = await startProduct({ PRIVATE_HOSTS: "" });
  await save(product, connector(peer.host, { privateHosts: peer.host }));
  const inside = await product.post("/api/connectors?name=fx&endpoint=create", {
    params: { title: "a", tag: "b" },
  });
  assertEquals([inside.status, inside.body.success], [502, false]);
  assertMatch(inside.body.error, /PRIVATE_HOSTS/);
  await save(
    product,
    connector(peer.host, { hosts: "other.test", URL: `http://${peer.host}` }),
    "fy",
  );
  const unlisted = await product.post("/api/connectors?name=fy&endpoint=create", {
    params: { title: "a", tag: "b" },
  });
  assertEquals(unlisted.status, 422);
  assertEquals(peer.seen.length, 0);
});

Deno.test("E3 a late peer or a too large answer is 502 with a sentence", async () => {
  await using peer = await startPeer((seen, response) => {
    if (seen.url === "/v1/large") response.end("x".repeat(6 * 1024 * 1024));
  });
  await using product = await startProduct();
  const endpoints = { "endpoint.large": `{"url":"/large"}`, "endpoint.never": `{"url":"/never"}` };
  await save(product, connector(peer.host, { ...endpoints, timeoutSeconds: "30" }));
  await save(product, connector(peer.host, { ...endpoints, timeoutSeconds: "1" }), "hasty");
  const cases = [["fx", "large", /larger than/], ["hasty", "never", /within 1 s/]] as const;
  for (const [name, endpoint, says] of cases) {
    const path = `/api/connectors?name=${name}&endpoint=${endpoint}`;
    const { status, body } = await product.post(path, {});
    assertEquals([status, body.success], [502, false]);
    assertMatch(body.error, says);
  }
  assertEquals(peer.seen.length, 2, "neither is asked for again");
});

Deno.test("a template's connector is tried again, paced and left alone by the engine of all HTTP calls", async () => {
  let status = 503;
  await using peer = await startPeer(({ url }, response) => {
    const isFirst = peer.seen.filter((it) => it.url === url).length === 1;
    if (url === "/v1/lost" && isFirst) return void response.destroy();
    const code = url === "/v1/lost" ? 200 : status;
    response.writeHead(code, { "retry-after": "0" }).end("{}");
  });
  await using product = await startProduct();
  const endpoints = {
    "endpoint.lost": `{"url":"/lost"}`,
    "endpoint.get": `{"url":"/get"}`,
    "endpoint.post": `{"url":"/post","method":"POST"}`,
  };
  await save(product, connector(peer.host, endpoints));
  const call = (endpoint: string, name = "fx") =>
    product.post(`/api/connectors?name=${name}&endpoint=${endpoint}`, {});
  const send = () => peer.seen.splice(0).map((it) => it.url);
  const report = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.statusCode];

  assertEquals([report(await call("lost")), send()], [[200, 200], ["/v1/lost", "/v1/lost"]]);
  assertEquals([report(await call("get")), send().length], [[200, 503], 3]);
  assertEquals([report(await call("post")), send().length], [[200, 503], 1]);
  await product.deps.connectors.call({
    connector: "fx",
    target: "post",
    params: {},
    as: { username: "u", permissions: permissionSet(["api:fx:post"]) },
    key: "a rule's",
  });
  assertEquals(send().length, 1, "a key nobody said the peer knows makes no POST safe");

  const alone = { maxAttempts: "1", breakerFailures: "2", breakerSeconds: "60" };
  await save(product, connector(peer.host, { ...endpoints, ...alone }), "guarded");
  for (let n = 0; n < 2; n++) assertEquals(report(await call("get", "guarded")), [200, 503]);
  status = 200;
  const open = await call("get", "guarded");
  assertEquals([open.status, send().length], [503, 2]);
  assertMatch(open.body.error, /guarded is not called for now: it failed/);

  await save(product, connector(peer.host, { ...endpoints, callsPerSecond: "1" }), "paced");
  assertEquals(report(await call("post", "paced")), [200, 200]);
  await product.deps.db.execute(
    sql`update paces set begun_at = now() + interval '1 hour' where name = 'template:paced'`,
  );
  const full = await call("post", "paced");
  assertEquals([full.status, send().length], [503, 1]);
  assertMatch(full.body.error, /All calls of paced are used up for now/);

  const { status: wrong, body } = await product.post("/api/templates", {
    name: "wrong",
    type: "connector",
    properties: connector(peer.host, { maxAttempts: "0", breakerFailures: "many" }),
  });
  assertEquals(wrong, 422);
  assertMatch(body.error, /maxAttempts.*from 1 to 20/);
  assertMatch(body.error, /breakerFailures/);
});

Deno.test("E4 secrets of a connector are sealed, masked, and do not follow it to another host", async () => {
  await using product = await startProduct();
  await save(product, connector("a.test"));
  const { body } = await product.get("/api/templates/fx");
  assertEquals([body.properties.apiToken, body.properties.headerToken], ["********", "********"]);
  assert(!JSON.stringify((await product.get("/api/connectors?name=fx")).body).includes(SECRET));
  const moved = await product.send("PUT", "/api/templates/fx", {
    ...body,
    properties: { ...body.properties, URL: "http://evil.test" },
  });
  assertEquals(moved.status, 422);
  assertMatch(moved.body.error, /enter apiToken, headerToken again/);
  const same = await product.send("PUT", "/api/templates/fx", {
    ...body,
    properties: { ...body.properties, timeoutSeconds: "5" },
  });
  assertEquals(same.status, 200);
  const broken = await product.post("/api/templates", {
    name: "x",
    type: "connector",
    properties: { "endpoint.a": "{}" },
  });
  assertEquals(broken.status, 422);
});

Deno.test("an answer far more expensive than its size is refused, one that is not JSON is ignored", async () => {
  const answers = ["[".repeat(600), `[${"{},".repeat(400_001)}0]`, "a,b\n".repeat(500_000)];
  await using peer = await startPeer(({ url }, response) =>
    void response.end(answers[Number(url?.at(-1))] ?? "")
  );
  await using product = await startProduct();
  const properties = {
    kind: "api",
    URL: `http://${peer.host}`,
    privateHosts: peer.host,
    "endpoint.get": JSON.stringify({ label: "Get", url: "/{nth}", params: "nth|Which" }),
  };
  await product.post("/api/templates", { name: "costly", type: "connector", properties });
  const call = (nth: string) =>
    product.post("/api/connectors?name=costly&endpoint=get", { params: { nth } });
  for (const [nth, says] of [/nested deeper than 500/, /more than 400000 values/].entries()) {
    const { status, body } = await call(String(nth));
    assertEquals(status, 502);
    assertMatch(body.error, says);
  }
  assertEquals((await call("2")).status, 200);
});
