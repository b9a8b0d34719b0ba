import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { paClient } from "#src/adapters/pa/mod.ts";
import { invoiceXml, LOOPBACK, outgoing, type Peer, startPeer } from "#tests/sandbox/support.ts";
import { longTest } from "#tests/support/long.ts";
import { prismProgram, validatingProxy } from "#tests/support/prism.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { must } from "#tests/support/access.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { smallFlowService } from "#tests/support/small_flow_service.ts";

/** Published OpenAPI files of both services, which we may not distribute. */
const FLOW = process.env["AFNOR_FLOW_SPEC"];
const DIRECTORY = process.env["AFNOR_DIRECTORY_SPEC"];

longTest(
  "a validating proxy in front of the sandbox PA detects violations of a description",
  async (t) => {
    const program = await prismProgram();
    if (program === undefined) {
      return void process.stderr.write(
        "Not proved: npx could not bring the validating proxy within a minute\n",
      );
    }
    await using peer = await startPeer();
    for (const isWrong of [false, true]) {
      await t.step(
        isWrong ? "a promise the PA does not keep is found" : "nothing is found",
        async () => {
          const violations = await underEyesOf(program, peer, { isWrong });
          if (isWrong) {
            assertMatch(violations.join("\n"), /flows\/search 200: response\..*neverThere/);
          } else assertEquals(violations, []);
        },
      );
    }
  },
);

async function underEyesOf(
  program: string,
  peer: Peer,
  { isWrong }: { isWrong: boolean },
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-spec-"));
  const description = join(folder, "flow.json");
  await writeFile(description, JSON.stringify(smallFlowService({ isWrong })));
  await using proxy = await validatingProxy(program, {
    description,
    upstream: peer.sandbox.flowUrl,
  });
  const pa = paClient({ ...peer.settings, baseUrl: proxy.url }, LOOPBACK);
  await pa.healthcheck();
  await pa.submit(outgoing(invoiceXml({ number: isWrong ? "P-2" : "P-1" })));
  await pa.search({ where: { updatedAfter: "2024-01-01T00:00:00.000Z" }, limit: 100 });
  assert(proxy.calls >= 3, "the calls went past the proxy");
  await rm(folder, { recursive: true });
  return [...proxy.violations];
}

Deno.test({
  name: "the product's calls to a PA and its directory fit the published descriptions",
  ignore: FLOW === undefined || DIRECTORY === undefined,
  async fn() {
    const program = await prismProgram();
    if (program === undefined) throw new Error("npx could not bring the validating proxy");
    await using peer = await startPeer();
    const { flowUrl, directoryUrl } = peer.sandbox;
    await using flow = await validatingProxy(program, {
      description: FLOW ?? "",
      upstream: flowUrl,
    });
    await using directory = await validatingProxy(program, {
      description: DIRECTORY ?? "",
      upstream: directoryUrl,
    });
    await using product = await startProduct({ PRIVATE_HOSTS: "127.0.0.1" });
    await lead(product, peer, { "e-invoicing": flow.url, "e-directory": directory.url });
    await mainCalls(product, peer);
    assert(flow.calls >= 6 && directory.calls >= 1, `${flow.calls} and ${directory.calls} calls`);
    assertEquals([...flow.violations, ...directory.violations], []);
  },
});
if (FLOW === undefined || DIRECTORY === undefined) {
  process.stderr.write(
    "skipped: AFNOR_FLOW_SPEC and AFNOR_DIRECTORY_SPEC name no OpenAPI files: calls are not held against them\n",
  );
}

async function lead(
  product: TestProduct,
  { settings: { auth } }: Peer,
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  if (auth.kind !== "oauth2") throw new Error("The peer signs in by OAuth");
  const { tokenUrl, clientId, clientSecret } = auth;
  for (const [name, URL] of Object.entries(urls)) {
    const properties = { URL, tokenUrl, clientId, clientSecret };
    await must(
      product.send("PUT", `/api/templates/${name}`, { name, type: "system", properties }),
      200,
    );
  }
}

/**
 * Makes the main calls: submission, polling, a supplier's invoice and its status, webhooks, health and the directory.
 */
async function mainCalls(product: TestProduct, { sandbox }: Peer): Promise<void> {
  const file = await product.write("burst.xml", await erpBurst(2, 810_000));
  await must(product.post("/api/run", { template: "R42565", file, mode: "BURST" }), 200);
  const total = async (path: string) => (await product.get(path)).body.total;
  await until(async () => await total("/api/submissions?state=accepted") === 2, "both to be sent");
  await must(product.get("/api/pa/health"), 200);
  await fetch(`${sandbox.url}/sandbox/incoming`, {
    method: "POST",
    headers: { "content-type": "application/xml" },
    body: await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8"),
  });
  const id = "RI-100002-PV-00000";
  await until(async () => {
    await must(product.post("/api/import", {}), 200);
    return (await product.get(`/api/invoices/${id}`)).status === 200;
  }, "the supplier's invoice");
  const approval = { target: "pa", name: "APPROVED", reason: "" };
  await must(product.post(`/api/invoices/${id}/status`, approval), 200);
  await until(async () => {
    await must(product.post("/api/import", {}), 200);
    const { messages } = (await product.get(`/api/invoices/${id}/status-messages`)).body;
    return messages[0]?.state === "taken";
  }, "the status message to be taken");
  const callbackUrl = "https://erp.example/hook";
  const { webhookId } = (await must(product.post("/api/pa/webhooks", { callbackUrl }), 200)).body;
  await must(product.send("DELETE", `/api/pa/webhooks/${webhookId}`), 200);
  await must(product.post("/api/check-directory", { siren: "448337881" }), 200);
}
