import { assert, assertEquals, assertMatch } from "@std/assert";
import { eq } from "drizzle-orm";
import { templates } from "#drizzle/schema/mod.ts";
import { showTemplate, useTemplate } from "#src/platform/templates/mod.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

const MASK = "********";
type Properties = Record<string, string>;

const PA = {
  URL: "https://pa.example/v1",
  tokenUrl: "https://login.example/token",
  clientId: "me",
  clientSecret: "hush",
  token: "hush",
};
const GLOBAL = {
  sftpHost: "files.example",
  sftpPort: "22",
  sftpPassword: "hush",
  sftpPrivateKey: "hush",
  smtpHost: "mail.example",
  smtpPort: "587",
  smtpSecure: "starttls",
  smtpPassword: "hush",
};

function save(product: TestProduct, name: string, properties: Properties, way = "by path") {
  const path = way === "by path" ? `/api/templates/${name}` : `/api/config/template?name=${name}`;
  return product.send("PUT", path, { name, type: "system", properties });
}

const LABELS: Readonly<Record<string, string>> = {
  URL: "Address",
  tokenUrl: "Address for tokens",
  sftpHost: "SFTP server",
  sftpPort: "SFTP port",
  sftpHostKey: "Fingerprint of the SFTP server",
  smtpCa: "Mail certificate authority",
  smtpHost: "Mail server",
  smtpPort: "Port of the mail server",
  smtpSecure: "Security of the connection",
};

Deno.test("a stored secret is entered again when it would be sent elsewhere", async (t) => {
  await using product = await startProduct();
  const mask = (properties: Properties, secrets: readonly string[]) => ({
    ...properties,
    ...Object.fromEntries(secrets.map((it) => [it, MASK])),
  });
  const pa = ["token", "clientSecret"];
  const all = ["sftpPassword", "sftpPrivateKey", "smtpPassword"];
  const cases: [template: string, change: Properties, asksFor: string][] = [
    ["e-invoicing", { URL: "https://evil.example" }, "clientSecret, token"],
    ["e-invoicing", { URL: "http://pa.example/v1" }, "clientSecret, token"],
    ["e-invoicing", { URL: "https://pa.example:8443/v1" }, "clientSecret, token"],
    ["e-invoicing", { URL: "https://pa.example@evil.example/v1" }, "clientSecret, token"],
    ["e-invoicing", { tokenUrl: "https://evil.example/token" }, "clientSecret"],
    ["e-directory", { URL: "https://evil.example" }, "clientSecret, token"],
    ["e-directory", { tokenUrl: "http://login.example/token" }, "clientSecret"],
    ["global", { sftpHost: "evil.example" }, "sftpPassword, sftpPrivateKey"],
    ["global", { sftpPort: "2222" }, "sftpPassword, sftpPrivateKey"],
    ["global", { sftpHostKey: "SHA256:evil" }, "sftpPassword, sftpPrivateKey"],
    ["global", { smtpCa: "evil" }, "smtpPassword"],
    ["global", { smtpHost: "evil.example" }, "smtpPassword"],
    ["global", { smtpPort: "25" }, "smtpPassword"],
    ["global", { smtpSecure: "none" }, "smtpPassword"],
  ];
  for (const way of ["by path", "by query"]) {
    for (const [name, change, asksFor] of cases) {
      await t.step(`${name} ${JSON.stringify(change)} ${way}`, async () => {
        const [before, secrets] = name === "global" ? [GLOBAL, all] : [PA, pa];
        assertEquals((await save(product, name, before)).status, 200);
        const kept = { ...mask(before, secrets), ...change };
        const answer = await save(product, name, kept, way);
        assertEquals([answer.status, answer.body.error], [
          422,
          `${name} leads to other addresses than before: enter ${asksFor} again`,
        ]);
        const [first = ""] = asksFor.split(", ");
        const [changed = ""] = Object.keys(change);
        assertEquals(
          answer.body.fields[first],
          `Enter it again, because this changed: ${LABELS[changed]}`,
        );
        assertEquals((await useTemplate(product.deps, name)).properties, before);
        assertEquals((await save(product, name, { ...before, ...change }, way)).status, 200);
      });
    }
  }

  await t.step("not if the change keeps the host, or leads nowhere", async () => {
    await save(product, "e-invoicing", PA);
    await save(product, "global", GLOBAL);
    const harmless: [name: string, change: Properties][] = [
      ["e-invoicing", { URL: "https://PA.example:443/v2", clientId: "you" }],
      ["e-invoicing", { tokenUrl: "https://login.example/oauth/token" }],
      ["global", { sftpDir: "in", smtpFrom: "a@b.example" }],
      ["global", { smtpHost: "" }],
      ["e-invoicing", { URL: "sandbox:" }],
    ];
    for (const [name, change] of harmless) {
      const { properties } = await showTemplate(product.deps, name);
      const answer = await save(product, name, { ...properties, ...change });
      assertEquals([answer.status, change], [200, change]);
    }
    const { properties } = await useTemplate(product.deps, "e-invoicing");
    assertEquals([properties["clientSecret"], properties["token"]], ["hush", "hush"]);
  });
  await t.step("nor is nowhere a way round", async () => {
    for (
      const [name, change] of [
        ["e-invoicing", { URL: "https://evil.example" }],
        ["global", { smtpHost: "evil.example" }],
      ] as const
    ) {
      const { properties } = await showTemplate(product.deps, name);
      assertEquals((await save(product, name, { ...properties, ...change })).status, 422);
    }
  });
});

Deno.test("a connector's secrets do not travel by way of another type, a copy or another name", async () => {
  await using product = await startProduct();
  const connector = (name: string, properties: Properties) => ({
    name,
    type: "connector",
    properties: { URL: "https://good.example", ...properties },
  });
  const put = (path: string, body: unknown) => product.send("PUT", `/api/templates/${path}`, body);
  const evil = { URL: "https://evil.example", token: MASK };
  assertEquals(
    (await product.post("/api/templates", connector("c", { token: "hush" }))).status,
    200,
  );
  assertEquals((await put("c", connector("c", evil))).status, 422);
  assertEquals((await put("c", connector("renamed", evil))).status, 422);
  const endpoint = (url: string) => ({ "endpoint.a": JSON.stringify({ url }) });
  for (
    const url of [
      "/other",
      "http://good.example/rates",
      "https://good.example:8443/rates",
      "/rates?leak={$token}",
    ]
  ) {
    assertEquals(
      (await put("c", connector("c", { token: "hush", ...endpoint("/rates") }))).status,
      200,
    );
    const moved = await put("c", connector("c", { token: MASK, ...endpoint(url) }));
    assertEquals(moved.status, 422, url);
    assertMatch(moved.body.error, /leads to other addresses than before: enter token again/);
  }
  const same = { token: MASK, ...endpoint("/rates"), description: "Rates" };
  assertEquals((await put("c", connector("c", same))).status, 200);
  assertEquals((await put("c", connector("c", { token: "hush" }))).status, 200);
  assertEquals((await product.post("/api/templates/c/copy/copy")).status, 200);
  assertEquals((await put("copy", connector("copy", evil))).status, 422);
  const disguised = await put("c", { ...connector("c", evil), type: "document" });
  assertEquals(disguised.status, 422);
  assertMatch(disguised.body.error, /its type from connector to document: enter token again/);
  assertEquals((await useTemplate(product.deps, "copy")).properties["token"], "hush");
});

Deno.test("a property named like a secret is sealed unasked, any other when the template's list names it", async () => {
  await using product = await startProduct();
  const { db } = product.deps;
  const store = async (name: string) =>
    (await db.select().from(templates).where(eq(templates.name, name)))[0];
  const put = (body: unknown, name = "c") => product.send("PUT", `/api/templates/${name}`, body);
  const show = async (name = "c") => (await product.get(`/api/templates/${name}`)).body;
  const properties = { URL: "https://good.example", password: "hush", access_code: "open sesame" };
  const connector = { name: "c", type: "connector", properties };

  assertEquals((await product.post("/api/templates", connector)).status, 200);
  assertEquals((await show()).secrets, ["password"]);
  assertEquals((await show()).properties.access_code, "open sesame");
  assertMatch((await store("c"))?.properties["password"] ?? "", /^ENC:/);

  assertEquals((await put({ ...connector, secrets: ["password", "access_code"] })).status, 200);
  const masked = { ...connector, properties: { ...properties, password: MASK, access_code: MASK } };
  assertEquals(await show(), { ...masked, secrets: ["password", "access_code"] });
  assertMatch((await store("c"))?.properties["access_code"] ?? "", /^ENC:/);

  // Older clients send no list, and an empty list must not reveal sealed values either.
  for (const given of [masked, { ...masked, secrets: [] }]) {
    assertEquals((await put(given)).status, 200);
    assertEquals(await show(), { ...masked, secrets: ["password", "access_code"] });
  }
  assertEquals((await useTemplate(product.deps, "c")).properties, properties);
  const elsewhere = { ...masked.properties, URL: "https://evil.example" };
  const moved = await put({ ...masked, properties: elsewhere, secrets: [] });
  assertMatch(moved.body.error, /enter password, access_code again/);

  assertEquals((await product.post("/api/templates/c/copy/copy")).status, 200);
  assertEquals((await show("copy")).secrets, ["password", "access_code"]);
  assertEquals((await useTemplate(product.deps, "copy")).properties, properties);
  const changes = (await product.get("/admin/audit?event=template.changed")).body;
  assertEquals(changes.total, 3);
  assert(!/hush|sesame/.test(JSON.stringify(changes)), "nor does the audit show what it was");

  const open = { ...connector, properties: { ...properties, password: "no secret" }, secrets: [] };
  assertEquals((await put(open)).status, 200);
  assertEquals((await show()).properties.password, "no secret", "its author says so");
  const mistaken = await put({ ...connector, secrets: ["pasword"] });
  assertEquals([mistaken.status, mistaken.body.error], [
    422,
    "secrets: there is no property pasword; did you mean password?",
  ]);
});

Deno.test("a property that takes one of a few words refuses others, and names them", async (t) => {
  await using product = await startProduct();
  const cases: [name: string, type: string, properties: Properties, says: string | undefined][] = [
    [
      "e-invoicing",
      "system",
      { preflight: "bogus" },
      'preflight is "bogus"; expected advisory, block or off',
    ],
    ["e-invoicing", "system", { preflight: " Block " }, undefined],
    ["e-invoicing", "system", { preflight: "" }, undefined],
    [
      "global",
      "system",
      { smtpSecure: "maybe" },
      'smtpSecure is "maybe"; expected starttls, tls or none',
    ],
    [
      "R42565",
      "document",
      { submit: "n", direction: "in", language: "EN", mode: "ubl" },
      undefined,
    ],
    [
      "R42565",
      "document",
      { submit: "false", direction: "sideways" },
      'direction is "sideways"; expected issued, received, out or in; ' +
      'submit is "false"; expected Y, N, yes or no',
    ],
    ["R42565", "document", { language: "de" }, 'language is "de"; expected fr or en'],
    [
      "R42565",
      "document",
      { mode: "ALL" },
      'mode is "ALL"; expected SINGLE, BURST, UBL, BOTH or UBL_VALIDATE',
    ],
  ];
  for (const [name, type, properties, says] of cases) {
    await t.step(`${name} ${JSON.stringify(properties)}`, async () => {
      const answer = await product.send("PUT", `/api/templates/${name}`, {
        name,
        type,
        properties,
      });
      assertEquals([answer.status, answer.body.error], [says ? 422 : 200, says]);
    });
  }
});
