import { assert, assertEquals, assertMatch } from "@std/assert";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

const JSON_TYPE = { "content-type": "application/json" };

interface Declared {
  readonly method: string;
  /** Path parameters are filled with an unknown invoice key. */
  readonly path: string;
  readonly hasParameters: boolean;
  readonly takesJson: boolean;
  readonly family: string;
  /** True if the JSON body is optional. */
  readonly bodyOptional: boolean;
}

Deno.test("text that no column can store is refused on every route before anything runs", async (t) => {
  await using product = await startProduct();
  const routes = await declaredRoutes(product);
  const wrongOf = async (
    calls: readonly (readonly [Declared, string, RequestInit?])[],
    expected: (route: Declared) => number,
  ) => {
    assert(calls.length > 50);
    const wrong: string[] = [];
    for (const [route, path, init] of calls) {
      const { method } = route;
      const { status, body } = await product.request(path, { method, ...init });
      await body?.cancel();
      if (status !== expected(route)) wrong.push(`${method} ${path}: ${status}`);
    }
    return wrong;
  };
  /** Returns the status of a malformed request; the database family has its own. */
  const malformed = ({ family }: Declared) => family === "database" ? 422 : 400;

  await t.step("in a path parameter: 404", async () => {
    const calls = routes.filter((it) => it.hasParameters).flatMap((it) =>
      ["a%00b-RI-1", "%ed%a0%80-RI-1", "%zz-RI-1"].map((id) =>
        [it, it.path.replaceAll("100-RI-1", id)] as const
      )
    );
    assertEquals(await wrongOf(calls, () => 404), []);
  });
  await t.step("in a query: 400", async () => {
    const calls = routes.flatMap((it) =>
      ["search=a%00b", "%00=1", "x=%ed%a0%80", "y=%"].map((query) =>
        [it, `${it.path}?${query}`] as const
      )
    );
    assertEquals(await wrongOf(calls, malformed), []);
  });
  await t.step("in a JSON body, at any depth: 400", async () => {
    const bodies = ['{"a":"n\\u0000ul"}', '{"a":[{"b\\ud800":1}]}', '["x","\\udc00"]'];
    const calls = routes.filter((it) => it.takesJson).flatMap((it) =>
      bodies.map((body) => [it, it.path, { body, headers: JSON_TYPE }] as const)
    );
    assertEquals(await wrongOf(calls, malformed), []);
  });
});

Deno.test("the refusal names the place, in the family's envelope", async (t) => {
  await using product = await startProduct();
  const post = async (path: string, body: string) => {
    const response = await product.request(path, { method: "POST", body, headers: JSON_TYPE });
    return { status: response.status, body: await response.json() };
  };
  const bodies: [body: string, says: string][] = [
    ['{"target":"db","code":"205","reason":"n\\u0000ul"}', "reason: holds the character U+0000"],
    ['{"target":"db","code":"205","reason":"x \\ud800"}', "reason: holds half a surrogate pair"],
    [
      '{"data":{"amounts":[{"rate":"20"},{"rate":"\\u0000"}]}}',
      "data.amounts.1.rate: holds the character U+0000",
    ],
    ['{"data":{"\\udfff":1}}', "data, a key: holds half a surrogate pair"],
    ['{"data":{"__proto__":1}}', "data, a key: holds the key __proto__"],
    ['{"data":{"\\u005f_pro\\u0074o__":1}}', "data, a key: holds the key __proto__"],
    ['"\\u0000"', "The body: holds the character U+0000"],
    [`${"[".repeat(60)}"\\u0000"${"]".repeat(60)}`, "holds the character U+0000"],
    [`${"[".repeat(50_000)}"\\u0000"${"]".repeat(50_000)}`, "is nested deeper than 64"],
    [`["\\"${",".repeat(60_000)}",${"1,".repeat(60_000)}1]`, "has more than 50000 values"],
    [`[${"{},".repeat(60_000)}{}]`, "has more than 50000 values"],
  ];
  for (const [body, says] of bodies) {
    await t.step(body.slice(0, 60), async () => {
      const answer = await post("/api/invoices/100-RI-1/status", body);
      assertEquals([answer.status, answer.body.success], [400, false]);
      assertEquals(answer.body.error.slice(-says.length), says);
    });
  }
  await t.step("of a query and a path", async () => {
    assertEquals((await product.get("/api/invoices?page=1&search=a%00b")).body, {
      success: false,
      error: "search: the query holds the character U+0000",
    });
    assertEquals((await product.get("/admin/users/%E9")).body, {
      detail: "There is nothing at this path, which is no percent-encoded UTF-8",
    });
    const { body } = await product.post("/api/auth/token?pool=%00", { user: "a", password: "b" });
    assertEquals(body.detail, [
      { loc: ["query", "pool"], msg: "the query holds the character U+0000", type: "custom" },
    ]);
  });
});

Deno.test("lookalikes pass, and other bodies stay unchanged", async (t) => {
  await using product = await startProduct();
  await t.step("pairs of surrogates, escaped backslashes, percent signs", async () => {
    const text = '{"name":"Mine","type":"document","properties":{"a":"\\ud83d\\ude00 \\\\u0000"}}';
    const created = await product.request("/api/templates", {
      method: "POST",
      body: text,
      headers: JSON_TYPE,
    });
    assertEquals(created.status, 200);
    assertEquals((await product.get("/api/templates/Mine")).body.properties, {
      a: "\u{1f600} \\u0000",
    });
    assertEquals((await product.get("/api/invoices?search=50%25%C3%A9+x")).status, 200);
  });
  await t.step("an upload may hold any byte", async () => {
    const answer = await product.request("/api/upload?template=R42565&filename=raw.xml", {
      method: "POST",
      body: new Uint8Array([...new TextEncoder().encode("<a>\\u0000</a>"), 0xff, 0xc0]),
      headers: { "content-type": "application/octet-stream" },
    });
    await answer.body?.cancel();
    assertEquals(answer.status, 200);
  });
  await t.step("malformed JSON is still reported as such", async () => {
    const answer = await product.request("/api/templates", {
      method: "POST",
      body: '{"a":"\\u0000"',
      headers: JSON_TYPE,
    });
    assertEquals(answer.status, 400);
    assertMatch((await answer.json()).error, /Malformed JSON/);
  });
  await t.step(
    "the same Idempotency-Key gives the same answer to a body that was read",
    async () => {
      const call = () =>
        product.post("/api/templates", { name: "Once", type: "document" }, {
          "idempotency-key": "the-same",
        });
      assertEquals([(await call()).status, (await call()).status], [200, 200]);
    },
  );
});

Deno.test("an optional body may be absent, empty or {} with the same meaning", async (t) => {
  await using product = await startProduct();
  const optional = (await declaredRoutes(product)).filter((it) => it.bodyOptional);
  assertEquals(optional.map((it) => it.path).toSorted(), [
    "/admin/jobs/100-RI-1/run",
    "/admin/jobs/runs/100-RI-1/replay",
    "/api/fmw/encrypt",
    "/api/import",
    "/api/invoices/100-RI-1/resend",
    "/api/retrieve-statuses",
    "/api/screens/100-RI-1/100-RI-1/lock",
    "/api/submissions/100-RI-1/replay",
    "/auth/refresh",
  ]);
  for (const { method, path: declared } of optional) {
    const path = declared.replace("100-RI-1", crypto.randomUUID());
    const ask = async (init: RequestInit) => {
      const response = await product.request(path, { method, ...init });
      return [response.status, await response.text()];
    };
    await t.step(path, async () => {
      const without = await ask({});
      assertEquals(await ask({ body: "", headers: JSON_TYPE }), without);
      assertEquals(await ask({ body: " \n", headers: JSON_TYPE }), without);
      assertEquals(await ask({ body: "{}", headers: JSON_TYPE }), without);
      assertEquals(await ask({ headers: JSON_TYPE }), without);
    });
  }
});

async function declaredRoutes(product: TestProduct): Promise<Declared[]> {
  const { body } = await product.get("/openapi.json");
  const paths: [string, Record<string, Operation>][] = Object.entries(body.paths);
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, "x-family": family }]) => {
      const takesJson = requestBody?.content["application/json"] !== undefined;
      return {
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, "100-RI-1"),
        hasParameters: path.includes("{"),
        takesJson,
        family,
        bodyOptional: requestBody?.required === false,
      };
    })
  );
}

interface Operation {
  readonly "x-family": string;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, unknown>>;
  };
}
