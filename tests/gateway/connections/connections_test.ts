import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { checkDirectory } from "#src/gateway/directory/check_directory.ts";
import { PaError } from "#src/ports/pa.ts";
import { inFolder } from "#tests/support/folder.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { SFTP_SIGN_IN, sftpServer } from "#tests/support/sftp_server.ts";
import { startIdentityProvider } from "#tests/support/identity_provider.ts";
import { startModel } from "#tests/support/language_model.ts";
import { freePort } from "#tests/support/processes.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { startSilentServer, startSmtp } from "../mail/support.ts";

const SIREN = "702042755";

interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly peer: string | null;
  readonly reason: string | null;
  readonly succeededAt: string | null;
  readonly failingSince: string | null;
  readonly redirectUri?: string | null;
  readonly variables?: readonly { readonly name: string; readonly isSet: boolean }[];
}

async function readState(product: TestProduct, kind: string): Promise<Shown> {
  const { status, body } = await product.get("/api/connections");
  assertEquals(status, 200);
  return body.connections.find((it: Shown) => it.kind === kind);
}

const test = (product: TestProduct, kind: string, body: object = {}) =>
  product.post(`/api/connections/${kind}/test`, body);

async function save(
  product: TestProduct,
  name: string,
  properties: Record<string, string>,
  type = "system",
): Promise<void> {
  const answer = await product.send("PUT", `/api/templates/${name}`, { name, type, properties });
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
}

Deno.test("connections are tested against real peers, and their last result is listed", async (t) => {
  const redirectUri = "http://127.0.0.1:8787/auth/oidc/callback";
  await using provider = await startIdentityProvider({ id: "p", secret: "s", redirectUri });
  await using model = await startModel({ text: "OK" });
  await using smtp = await startSmtp();
  await using sftp = await sftpServer();
  await using product = await startProduct({
    ...model.environment,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: "p",
    OIDC_CLIENT_SECRET: "s",
    PUBLIC_URL: "http://127.0.0.1:8787",
  });

  await t.step("what is missing is said in words, by field", async () => {
    const half = await test(product, "pa", {
      properties: { URL: "https://pa.example", clientId: "c" },
    });
    assertMatch(half.body.message, /give either the token, or the token address/);
    assertEquals(Object.keys(half.body.fields), ["token", "tokenUrl", "clientSecret"]);
    const sftp = await test(product, "sftp", { properties: { sftpHost: "files.example" } });
    assertMatch(sftp.body.message, /enter the account; .*password or private key/);
    const mail = await test(product, "mail", { properties: { smtpHost: "m", smtpFrom: "x" } });
    assertEquals([mail.status, Object.keys(mail.body.fields)], [422, ["smtpFrom"]]);
  });

  await t.step(
    "PA: signs in and reads, a failure keeps its first time and the reason",
    async () => {
      assertEquals((await readState(product, "pa")).state, "untested");
      const { body } = await test(product, "pa");
      assertEquals(body.works, true, body.message);
      assertMatch(body.message, /^Signed in at the trial PA, /);
      const works = await readState(product, "pa");
      assertEquals([works.state, works.failingSince], ["works", null]);
      const { status } = await product.post("/api/connections/pa/test", {
        properties: { URL: "http://127.0.0.1:1", token: "token-nobody-sees" },
      });
      assertEquals(status, 200);
      assertEquals(
        (await readState(product, "pa")).state,
        "works",
        "typed values are not recorded",
      );
      await save(product, "e-invoicing", { URL: "http://127.0.0.1:1", token: "token-nobody-sees" });
      assertEquals((await readState(product, "pa")).state, "untested", "the settings have changed");
      const failed = await test(product, "pa");
      assertEquals(failed.body.works, false);
      const fails = await readState(product, "pa");
      assertEquals(fails.state, "fails");
      assert(fails.failingSince && fails.reason);
      assertEquals(fails.succeededAt, null, "the success was that of the trial PA");
      await test(product, "pa");
      assertEquals((await readState(product, "pa")).failingSince, fails.failingSince);
      assert(!JSON.stringify(fails).includes("nobody-sees"));
    },
  );

  await t.step("PA: a stored secret is not sent to a typed address", async () => {
    const properties = { URL: "http://127.0.0.1:9", token: "********" };
    const { status, body } = await test(product, "pa", { properties });
    assertEquals(status, 422);
    assertMatch(body.error, /enter token again/);
  });

  await t.step("PA: a test of one kind changes nothing of another", async () => {
    await save(product, "global", smtp.properties);
    const { body } = await test(product, "sftp", {
      properties: { smtpHost: "elsewhere.example", sftpHost: "" },
    });
    assertEquals([body.works, (await test(product, "mail")).body.works], [false, true]);
  });

  await t.step("directory: looks up the company's own SIREN", async () => {
    const without = await test(product, "directory");
    assertEquals([without.body.works, without.body.tested], [false, false]);
    assertEquals((await readState(product, "directory")).state, "untested");
    assertStringIncludes(without.body.message, "page Company");
    await save(product, "company", { siren: SIREN }, "company");
    const { body } = await test(product, "directory");
    assertEquals(body.works, true, body.message);
    assertStringIncludes(body.message, SIREN);
  });

  await t.step("mail: sends one fixed e-mail, before and after saving", async () => {
    const before = smtp.received.length;
    const typed = await test(product, "mail", {
      properties: { ...smtp.properties, smtpUser: "bob" },
    });
    assertEquals([typed.status, typed.body.works], [200, false]);
    assert(!typed.body.message.includes("s3cret"));
    assertStringIncludes(typed.body.message, "refuses the account or its password");
    const stranger = await test(product, "mail", {
      properties: { ...smtp.properties, smtpCa: "" },
    });
    assertStringIncludes(stranger.body.message, "enter the certificate of its authority");
    const { body } = await test(product, "mail");
    assertEquals(body.works, true, body.message);
    const mail = smtp.received.at(-1);
    assertEquals([smtp.received.length, mail?.to], [before + 1, ["passerelle@example.fr"]]);
    assertStringIncludes(mail?.text ?? "", "Test e-mail from Passerelle");
  });

  await t.step(
    "SFTP: shows the key of the server before it is entered, then lists the folder",
    async () => {
      const properties = {
        sftpHost: "127.0.0.1",
        sftpPort: String(sftp.port),
        sftpUser: SFTP_SIGN_IN.username,
        sftpPassword: SFTP_SIGN_IN.password,
      };
      const first = await test(product, "sftp", { properties });
      assertEquals([first.body.works, first.body.fingerprint], [false, sftp.fingerprint]);
      assertEquals(sftp.signIns, [], "no password goes to an unknown server");
      const pinned = { ...properties, sftpHostKey: sftp.fingerprint };
      const { body } = await test(product, "sftp", { properties: pinned });
      assertEquals(body.works, true, body.message);
      assertMatch(body.message, /the home folder of the account has no files/);
    },
  );

  await t.step(
    "e-mail and SFTP share a template, and each forgets only its own results",
    async () => {
      const change = async (properties: Record<string, string>) => {
        const mine = {
          sftpHost: "127.0.0.1",
          sftpPort: String(sftp.port),
          sftpUser: SFTP_SIGN_IN.username,
          sftpPassword: SFTP_SIGN_IN.password,
          sftpHostKey: sftp.fingerprint,
        };
        const before = (await product.get("/api/templates/global")).body.properties;
        await save(product, "global", { ...smtp.properties, ...mine, ...before, ...properties });
      };
      const states = () =>
        Promise.all(["mail", "sftp"].map(async (it) => (await readState(product, it)).state));
      await change({});
      assertEquals((await states())[0], "works", "only SFTP changed");
      assertEquals((await test(product, "sftp")).body.works, true);
      assertEquals(await states(), ["works", "works"]);
      await change({ bipXmlQuery: "select 1 as one" });
      assertEquals(await states(), ["works", "works"], "neither changed");
      await change({ smtpFromName: "Helios" });
      assertEquals(await states(), ["untested", "works"]);
    },
  );

  await t.step("identity provider and language model answer", async () => {
    assertEquals((await test(product, "oidc")).body.works, true);
    const { body } = await test(product, "model");
    assertEquals(body.works, true, body.message);
    assertEquals((await readState(product, "model")).state, "works");
    const set = async (kind: string) =>
      (await readState(product, kind)).variables?.map((it) => it.isSet);
    assertEquals(await set("oidc"), [true, true, true, true]);
    assertEquals((await readState(product, "pa")).variables, undefined);
    const redirects = await Promise.all(
      ["oidc", "pa"].map(async (it) => (await readState(product, it)).redirectUri),
    );
    assertEquals(redirects, [redirectUri, undefined]);
    assert(!JSON.stringify(await readState(product, "oidc")).includes(provider.issuer));
  });

  await t.step("a pool that does not exist is a failed test", async () => {
    const { status, body } = await test(product, "pool", { name: "nowhere" });
    assertEquals([status, body.works], [200, false]);
    assertStringIncludes(body.message, "nowhere");
  });

  await t.step("a typed database is tested and not stored", async () => {
    const pool = { driver: "sqlite", file: "nowhere.sqlite", read_only: true };
    const away = await test(product, "pool", { name: "erp", pool });
    assertEquals([away.status, away.body.works], [200, false], JSON.stringify(away.body));
    const other = { driver: "postgres", host: "h", database: "d", user: "u", password: "********" };
    const masked = await test(product, "pool", { name: "erp", pool: other });
    assertStringIncludes(masked.body.message, "there is no secret to keep");
    const half = await test(product, "pool", { name: "erp", pool: { driver: "postgres" } });
    assertStringIncludes(half.body.message, "incomplete");
    const { body } = await product.get("/api/connections");
    assertEquals(body.connections.filter((it: Shown) => it.name === "erp"), []);
  });

  await t.step("one test of a kind at a time, and not too many", async () => {
    await using silent = await startSilentServer();
    await save(product, "global", {
      ...smtp.properties,
      smtpPort: String(silent.port),
      smtpTimeoutSeconds: "1",
    });
    const [one, other] = await Promise.all([test(product, "mail"), test(product, "mail")]);
    assertEquals([one.status, other.status].toSorted(), [200, 429]);
    const answers = [];
    for (let n = 0; n < 22; n++) answers.push((await test(product, "oidc")).status);
    assertEquals([answers[0], answers.at(-1)], [200, 429]);
  });

  await t.step("the audit names the test and holds no typed value", async () => {
    const { body } = await product.get("/admin/audit?event=connection.tested&pageSize=200");
    const text = JSON.stringify(body);
    assertStringIncludes(text, "connection.tested");
    assert(!/nobody-sees|s3cret|correct horse/.test(text));
  });
});

Deno.test("a reader of the connections tests none, and typed values need setup:write", () =>
  inFolder(async (folder) => {
    await using product = await startGuarded(folder);
    const admin = await administrate(product);
    const call = async (
      { path, body, headers }: {
        readonly path: string;
        readonly body?: object;
        readonly headers: Readonly<Record<string, string>>;
      },
    ) => {
      const answer = await fetch(product.url + path, {
        ...body && { method: "POST", body: JSON.stringify(body) },
        headers: { "content-type": "application/json", ...headers },
      });
      return { status: answer.status, body: await answer.json() };
    };
    const admit = async (username: string, permissions: readonly string[]) => {
      const who = { username, password: "Nine-quiet-bridges-4" };
      await admin.admit(who, permissions);
      const { body } = await call({ path: "/auth/login", body: who, headers: {} });
      return { authorization: `Bearer ${body.access_token}` };
    };
    const reader = await admit("reader", ["templates:read"]);
    const author = await admit("author", ["templates:read", "templates:write"]);
    const path = "/api/connections/pa/test";
    const properties = { URL: "http://127.0.0.1:1", token: "x" };
    const listed = await call({ path: "/api/connections", headers: reader });
    assertEquals(listed.status, 200);
    assertEquals(listed.body.connections.some((it: Shown) => it.kind === "pool"), false);
    assertEquals((await call({ path, body: {}, headers: reader })).status, 403);
    assertEquals((await call({ path, body: {}, headers: author })).status, 200);
    assertEquals((await call({ path, body: { properties }, headers: author })).status, 403);
    const typed = await call({ path, body: { properties }, headers: admin.headers });
    assertEquals([typed.status, typed.body.works], [200, false]);
    const pool = "/api/connections/pool/test";
    assertEquals((await call({ path: pool, body: {}, headers: author })).status, 403);
    const user = await admit("user", ["templates:read", "templates:write", "connectors:read"]);
    assertEquals((await call({ path: pool, body: { name: "x" }, headers: user })).status, 200);
    const definition = { driver: "postgres", host: "h.example", database: "d", user: "u" };
    const defined = await fetch(`${product.url}/admin/config/pools/parsed`, {
      method: "PUT",
      body: JSON.stringify({ version: 1, pools: { erp: definition } }),
      headers: { "content-type": "application/json", ...admin.headers },
    });
    assertEquals(defined.status, 200, await defined.text());
    const peerFor = async (headers: Record<string, string>) => {
      const { body } = await call({ path: "/api/connections", headers });
      return body.connections.find((it: Shown) => it.name === "erp").peer;
    };
    assertEquals([await peerFor(user), await peerFor(admin.headers)], ["postgres", "h.example"]);
    const typedPool = { name: "x", pool: { driver: "sqlite", file: "x" } };
    assertEquals((await call({ path: pool, body: typedPool, headers: user })).status, 403);
  }));

Deno.test("a company is stored with valid numbers, and its account is the invoice's", async () => {
  await using product = await startProduct();
  const put = (properties: Record<string, string>) =>
    product.send("PUT", "/api/templates/company", { name: "company", type: "company", properties });
  const wrong: [string, string][] = [
    ["siren", "702042756"],
    ["siret", "70204275500241"],
    ["vatNumber", "FR64702042755"],
    ["iban", "FR7630004000031234567890125"],
    ["bic", "BNP"],
    ["electronicAddress", "somewhere"],
  ];
  for (const [name, value] of wrong) {
    const { status, body } = await put({ [name]: value });
    assertEquals(status, 422, name);
    assertStringIncludes(body.error, `${name} is "${value}"`);
    assertMatch(body.fields[name], /^Enter |^The (key|check digits) of this /);
  }
  const other = await put({ siren: SIREN, vatNumber: "FR40303265045" });
  assertStringIncludes(other.body.error, "vatNumber is FR40303265045, which is not of the SIREN");
  assertEquals(other.body.fields, {
    vatNumber: `This number does not belong to the SIREN ${SIREN}`,
  });
  const good = await put({
    siren: "702 042 755",
    vatNumber: "FR63702042755",
    iban: "FR77 3000 4000 0312 3456 7890 125",
    vatRegime: "monthly",
  });
  assertEquals(good.status, 200, JSON.stringify(good.body));
});

Deno.test("real use of a connection shows its state without a test", async () => {
  await using model = await startModel({ text: "OK" });
  await using product = await startProduct(model.environment);
  const ask = async () => {
    const answer = await product.request("/api/ai/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "Why?" }] }),
    });
    await answer.text();
    return { status: answer.status, state: (await readState(product, "model")).state };
  };
  assertEquals((await readState(product, "model")).state, "untested");
  assertEquals(await ask(), { status: 200, state: "works" });
  model.answer({ status: 500 });
  assertEquals(await ask(), { status: 502, state: "fails" });
  assertEquals((await readState(product, "directory")).state, "untested");
  const { status } = await product.post("/api/check-directory", { siren: SIREN });
  assertEquals(status, 200);
  const { state, succeededAt } = await readState(product, "directory");
  assertEquals(state, "works");
  assert(succeededAt);
  await product.get("/api/pa/health");
  assertEquals((await readState(product, "pa")).state, "works", "the health is the state");
  const left = AbortSignal.abort();
  await assertRejects(() => checkDirectory(product.deps, { siren: SIREN }, left), PaError);
  assertEquals((await readState(product, "directory")).state, "works");
});

Deno.test("an identity provider without an answer is reported in the caller's language", async () => {
  await using product = await startProduct({
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OIDC_CLIENT_ID: "p",
    PUBLIC_URL: "http://127.0.0.1:8787",
  });
  const french = { "accept-language": "fr" };
  const { body } = await product.post("/api/connections/oidc/test", {}, french);
  assertMatch(
    body.message,
    /^Le fournisseur d'identité est injoignable : pas de réponse à l'adresse http:.*:\d+ \(Connection refused\) ; vérifiez OIDC_ISSUER$/,
  );
});
