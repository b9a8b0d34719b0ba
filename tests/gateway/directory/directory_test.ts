import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { readInvoice, readSiren } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { readStatus, type Stage, stage } from "#tests/gateway/submission/support.ts";
import { ublInvoice } from "#tests/support/ubl_invoice.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

interface RegistryPeer extends AsyncDisposable {
  readonly url: string;
  readonly asked: string[];
  answer: { status: number; body: string; headers?: Record<string, string> };
}

const FOUND = {
  results: [{ siren: "702042755", nom_complet: "BOULANGERIE PASCALE" }],
  total_results: 1,
  page: 1,
};

async function registryPeer(): Promise<RegistryPeer> {
  const asked: string[] = [];
  const peer = { answer: { status: 200, body: JSON.stringify(FOUND) } } as Pick<
    RegistryPeer,
    "answer"
  >;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { status, body, headers } = peer.answer;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return Object.assign(peer, {
    asked,
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

Deno.test("the directory and the company registry are available through the API", async (t) => {
  await using registry = await registryPeer();
  await using world = await stage({ REGISTRY_URL: registry.url });
  const { product } = world;
  const check = (body: unknown, language = "en") =>
    product.post("/api/check-directory", body, { "accept-language": language });

  await t.step("found, by each kind of number", async () => {
    for (
      const body of [{ siren: "702042755" }, { siret: "70204275500240" }, {
        identifier: "0225:702042755",
      }, { identifier: "0002:702042755" }]
    ) {
      const answer = await check(body, "fr");
      assertEquals([answer.status, answer.body.found], [200, true], JSON.stringify(body));
      assertEquals(answer.body.isTrial, true);
      assertMatch(answer.body.message, /peut recevoir/);
      const [address] = answer.body.addresses;
      assertEquals([address.platform, address.isActive], ["pa", true], address.identifier);
    }
  });
  await t.step("not found, and known without an active address", async () => {
    const answers = [
      await check({ siren: "123456789" }),
      await check({ siren: "100000009" }, "fr"),
      await check({ identifier: "0225:999999999_X" }),
    ];
    assertEquals(answers.map((it) => [it.status, it.body.found]), answers.map(() => [200, false]));
    assertMatch(answers[1]?.body.message, /sans adresse active/);
    assertEquals(answers.map((it) => it.body.hasWrongKey), [true, false, false]);
    const { body } = await check({ siret: "70204275500241" });
    assertEquals([body.hasWrongKey, body.isCompanyOnly], [true, true]);
  });
  await t.step("in English on request", async () => {
    const answer = await product.post("/api/check-directory", { siren: "702042755" }, {
      "x-service-lang": "en",
    });
    assertMatch(answer.body.message, /can receive/);
  });
  await t.step("malformed requests name the mistake", async () => {
    const cases: [unknown, RegExp][] = [
      [{}, /exactly one/],
      [{ siren: "702042755", siret: "70204275500240" }, /exactly one/],
      [{ siren: "12" }, /9 digits/],
      [{ identifier: "702042755" }, /scheme/],
      [{ identifier: "9999:1" }, /9999/],
      [{ siren: 702042755 }, /siren/],
      [{ vat: "FR1" }, /vat/],
    ];
    for (const [body, says] of cases) {
      const answer = await check(body);
      assertEquals([answer.status, answer.body.success], [400, false], JSON.stringify(body));
      assertMatch(answer.body.error, says);
    }
  });
  await t.step("a PA that fails is a failure of the peer", async () => {
    await world.sandbox.fault({ kind: "500-before", operation: "directory", times: 1 });
    const answer = await check({ siren: "732829320" });
    assertEquals(answer.status, 502);
    assertMatch(answer.body.error, /500/);
    for (
      const [status, body] of [[500, "no words at all"], [200, "{}"], [200, '{"results":null}']]
    ) {
      await world.sandbox.fault({ kind: "status", operation: "directory", status, body, times: 1 });
      const answer = await check({ siren: "732829320" });
      assertEquals([answer.status, typeof answer.body.error], [502, "string"], `${status} ${body}`);
    }
  });
  await t.step("a template that leads nowhere says so", async () => {
    const template = { name: "e-directory", type: "system", properties: { URL: "" } };
    assertEquals((await product.send("PUT", "/api/templates/e-directory", template)).status, 200);
    const answer = await check({ siren: "702042755" });
    assertEquals(answer.status, 503);
    assertMatch(answer.body.error, /connection to the directory is not set up/);
    await product.send("PUT", "/api/templates/e-directory", {
      ...template,
      properties: { URL: "sandbox:" },
    });
  });
  await t.step("companies are found, and the same search calls the registry once", async () => {
    const first = await product.post("/api/insee-search", { q: "pascale boulangerie" });
    const second = await product.post("/api/insee-search", { q: "pascale boulangerie" });
    assertEquals([first.status, first.body], [200, { results: FOUND.results, total_results: 1 }]);
    assertEquals([second.body, registry.asked.length], [first.body, 1]);
    assertMatch(registry.asked[0] ?? "", /^\/search\?q=pascale\+boulangerie/);
  });
  await t.step("the registry's refusals and failures are distinguished", async () => {
    const cases: [RegistryPeer["answer"], number][] = [
      [{ status: 429, body: "{}", headers: { "retry-after": "3" } }, 429],
      [{ status: 500, body: "oops" }, 502],
      [{ status: 200, body: "<html>" }, 502],
      [{ status: 400, body: `{"erreur":"trop court"}` }, 400],
    ];
    for (const [index, [answer, status]] of cases.entries()) {
      registry.answer = answer;
      const said = await product.post("/api/insee-search", { q: `case ${index}` });
      assertEquals([said.status, said.body.success], [status, false]);
      if (status === 429) assertEquals(said.headers.get("retry-after"), "3");
    }
    assertEquals((await product.post("/api/insee-search", { q: " " })).status, 400);
  });
});

/** Disconnects the buyer of the first sample from its PA. */
async function disconnectBuyer({ product }: Stage): Promise<void> {
  const sample = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"));
  const siren = readSiren(readInvoice(parseXml(sample)).buyer);
  const answer = await fetch(`${product.sandbox.url}/sandbox/directory`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ siren, status: "Disabled" }),
  });
  assertEquals(answer.status, 201);
  await answer.body?.cancel();
}

/** Processes the first sample; resolves to its id, its outcome and the directory's answer. */
async function sendOne({ product }: Stage, number: number) {
  const file = await product.write(`${number}.xml`, await erpBurst(1, number));
  const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const { body } = await product.get(`/api/runs/${run.body.runId}`);
  const id = body.invoices[0].id as string;
  const errors = (await product.get(`/api/invoices/${id}/errors`)).body.errors as {
    source: string;
    rule: string;
    level: string;
  }[];
  const said = errors.filter((it) => it.source === "directory").map((it) => [it.rule, it.level]);
  return { id, outcome: body.invoices[0].state, said };
}

/** Settings of the PA's template apply to all documents whose own template is silent. */
const MODES = [
  [{ "e-invoicing": "advisory" }, "9906", "submitted", [["DIR-UNROUTABLE", "WARNING"]]],
  [{ "e-invoicing": "block" }, "9904", "send_failed", [["DIR-UNROUTABLE", "ERROR"]]],
  [{ "e-invoicing": "block", R42565: "off" }, "9906", "submitted", []],
  [{ "e-invoicing": "off", R42565: "block" }, "9904", "send_failed", [["DIR-UNROUTABLE", "ERROR"]]],
] as const;

for (const [modes, status, outcome, said] of MODES) {
  Deno.test(`a recipient that cannot be reached, with preflight ${JSON.stringify(modes)}`, async () => {
    await using world = await stage();
    await disconnectBuyer(world);
    for (const [name, preflight] of Object.entries(modes)) {
      const { body } = await world.product.get(`/api/templates/${name}`);
      const changed = { ...body, properties: { ...body.properties, preflight } };
      assertEquals(
        (await world.product.send("PUT", `/api/templates/${name}`, changed)).status,
        200,
      );
    }
    const sent = await sendOne(world, 820_000);
    assertEquals([sent.outcome, sent.said, await readStatus(world, sent.id)], [
      outcome,
      said,
      status,
    ]);
    assertEquals((await world.sandbox.truth()).submits.length, outcome === "submitted" ? 1 : 0);
  });
}

Deno.test("an unknown address is blocked by default, with the company's other addresses", async () => {
  await using world = await stage();
  const { product } = world;
  const buyer = { endpoint: ["0225", "552100554_NOBODY"] } as const;
  const file = await product.write("address.xml", ublInvoice({ number: "ADR-1", buyer }));
  const run = await product.post("/api/run", { template: "R42565", file, mode: "UBL" });
  const { invoices: [item] } = (await product.get(`/api/runs/${run.body.runId}`)).body;
  assertEquals(item.state, "send_failed");
  assertEquals(await readStatus(world, item.id), "9904");
  const { errors } = (await product.get(`/api/invoices/${item.id}/errors`)).body;
  const [finding] = errors.filter((it: { source: string }) => it.source === "directory");
  assertEquals([finding.rule, finding.businessTerm, finding.value], [
    "DIR-UNROUTABLE",
    "BT-49",
    "552100554_NOBODY",
  ]);
  assertMatch(
    finding.messageEn,
    /not in the directory\. Active addresses of SIREN 552100554: 552100554/,
  );
  assertEquals((await world.sandbox.truth()).submits.length, 0);
  const path = `/api/invoices/${item.id}`;
  await product.post(`${path}/treatment`, { treatment: "B2C" });
  assertEquals((await product.post(`${path}/resend`)).status, 200);
  await until(async () => (await world.sandbox.truth()).submits.length === 1, "the sale to leave");
  const left = (await product.get(`${path}/errors`)).body.errors;
  assertEquals(left.filter((it: { source: string }) => it.source === "directory"), []);
});

Deno.test("the directory is called once for a burst to one buyer, and its failure blocks nothing", async () => {
  await using world = await stage();
  const query = async () =>
    (await world.sandbox.journal()).filter((it) =>
      it.kind === "request" && it.operation === "directory"
    ).length;
  assertEquals((await sendOne(world, 830_000)).said, []);
  assertEquals((await sendOne(world, 831_000)).said, []);
  assertEquals(await query(), 1);
  await using other = await stage();
  await other.sandbox.fault({ kind: "500-before", operation: "directory", times: 0 });
  assertEquals(await sendOne(other, 840_000).then(({ outcome, said }) => [outcome, said]), [
    "submitted",
    [],
  ]);
});
