import { assertEquals, assertMatch } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";

Deno.test("templates: both families of paths, and restrictions of system templates", async (t) => {
  await using product = await startProduct();
  const names = async (path: string) =>
    (await product.get(path)).body.templates.map((it: { name: string }) => it.name);

  await t.step("after the first start there are the system templates and R42565", async () => {
    assertEquals(await names("/api/config/templates"), [
      "R42565",
      "e-directory",
      "e-invoicing",
      "global",
    ]);
    const { body } = await product.get("/api/config/template?name=R42565");
    assertEquals([body.type, body.properties.transform], ["document", "%APP_HOME%/R42565.xsl"]);
  });
  await t.step("create, read, replace all properties, rename, copy, delete", async () => {
    const created = {
      name: "Mine",
      type: "document",
      properties: { outputDir: "mine", submit: "N" },
    };
    assertEquals((await product.post("/api/config/template", created)).body, { success: true });
    assertEquals((await product.get("/api/templates/Mine")).body, created);
    const renamed = { name: "Ours", type: "document", properties: { outputDir: "ours" } };
    assertEquals((await product.send("PUT", "/api/config/template?name=Mine", renamed)).body, {
      success: true,
    });
    assertEquals((await product.get("/api/templates/Ours")).body, renamed);
    assertEquals((await product.get("/api/templates/Mine")).status, 404);
    await product.post("/api/config/template/copy", { source: "Ours", target: "Copy" });
    await product.post("/api/templates/Copy/copy/Copy2");
    assertEquals((await product.get("/api/templates/Copy2")).body.properties, renamed.properties);
    await product.send("DELETE", "/api/config/template?name=Copy");
    await product.send("DELETE", "/api/templates/Copy2");
    assertEquals(await names("/api/templates"), [
      "Ours",
      "R42565",
      "company",
      "e-directory",
      "e-invoicing",
      "global",
    ]);
  });
  await t.step("a dry run checks and stores nothing", async () => {
    const fresh = { name: "Fresh", type: "document", properties: { transform: "nowhere.xsl" } };
    const bad = await product.post("/api/templates?dry_run=true", fresh);
    assertEquals(bad.status, 422);
    const good = { ...fresh, properties: { outputDir: "fresh" } };
    assertEquals((await product.post("/api/templates?dry_run=true", good)).status, 200);
    assertEquals((await product.get("/api/templates/Fresh")).status, 404);
    const taken = await product.post("/api/templates?dry_run=true", { ...good, name: "Ours" });
    assertEquals(taken.status, 409);
    const other = { name: "Ours", type: "document", properties: { outputDir: "other" } };
    const dry = await product.send("PUT", "/api/config/template?name=Ours&dry_run=true", other);
    assertEquals(dry.status, 200);
    assertEquals((await product.get("/api/templates/Ours")).body.properties, { outputDir: "ours" });
  });
  const refusals: [method: string, path: string, body: unknown, status: number, says: RegExp][] = [
    ["DELETE", "/api/templates/global", undefined, 422, /global cannot be deleted/],
    [
      "PUT",
      "/api/templates/global",
      { name: "worldwide", type: "system", properties: {} },
      422,
      /renamed to worldwide/,
    ],
    [
      "POST",
      "/api/templates",
      { name: "mine", type: "system", properties: {} },
      422,
      /mine cannot be added/,
    ],
    [
      "POST",
      "/api/templates",
      { name: "R42565", type: "document", properties: {} },
      409,
      /R42565 exists already/,
    ],
    ["POST", "/api/templates/R42565/copy/global", undefined, 409, /global exists already/],
    ["POST", "/api/templates/NOPE/copy/other", undefined, 404, /NOPE does not exist/],
    ["POST", "/api/templates", { name: "x", type: "strange", properties: {} }, 400, /type/],
    ["POST", "/api/templates", { name: "../x", type: "document", properties: {} }, 400, /name/],
  ];
  for (const [method, path, body, status, says] of refusals) {
    await t.step(
      `${method} ${path} ${JSON.stringify(body) ?? ""} is refused with ${status}`,
      async () => {
        const answer = await product.send(method, path, body);
        assertEquals(answer.status, status);
        assertMatch(answer.body.error, says);
      },
    );
  }
});

Deno.test("secrets of a template are sealed at rest, masked in answers, and stay when the mask is sent back", async () => {
  await using product = await startProduct();
  const save = (properties: Record<string, string>) =>
    product.send("PUT", "/api/templates/e-invoicing", {
      name: "e-invoicing",
      type: "system",
      properties,
    });
  await save({ URL: "sandbox:", clientId: "me", clientSecret: "hush-hush" });
  const shown = await product.get("/api/templates/e-invoicing");
  assertEquals(shown.body.properties, {
    URL: "sandbox:",
    clientId: "me",
    clientSecret: "********",
  });
  const store = async () =>
    JSON.stringify(
      await product.deps.db.query.templates.findFirst({
        where: (it, { eq }) => eq(it.name, "e-invoicing"),
      }),
    );
  const first = await store();
  assertMatch(first, /"clientSecret":"ENC:/);
  assertEquals(first.includes("hush-hush"), false);
  await save({ ...shown.body.properties, clientId: "you" });
  const seal = (text: string) => /"clientSecret":"(ENC:[^"]+)"/.exec(text)?.[1];
  assertEquals(seal(await store()), seal(first));
});

Deno.test("the same Idempotency-Key gives the same answer, and refuses another body", async () => {
  await using product = await startProduct();
  const body = { name: "Once", type: "document", properties: {} };
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await product.post("/api/templates", body, key);
  const again = await product.post("/api/templates", body, key);
  assertEquals([first.status, again.status, again.headers.get("idempotency-replayed")], [
    200,
    200,
    "true",
  ]);
  const other = await product.post("/api/templates", { ...body, name: "Twice" }, key);
  assertEquals(other.status, 422);
});
