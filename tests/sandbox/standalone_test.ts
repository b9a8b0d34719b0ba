import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { paClient } from "#src/adapters/pa/mod.ts";
import { buildCdar } from "#src/domain/cdar/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { startStandalone } from "#tests/support/standalone_sandbox.ts";
import { LOOPBACK, outgoing, settle } from "./support.ts";

Deno.test("started separately, it validates with the product's rules and shows its flows on a page", async (t) => {
  await using sandbox = await startStandalone();
  const auth = {
    kind: "oauth2",
    tokenUrl: `${sandbox.url}/oauth2/token`,
    clientId: "sandbox",
    clientSecret: "sandbox",
  } as const;
  const pa = paClient({
    name: "alone",
    baseUrl: `${sandbox.url}/flow-service`,
    auth,
    timeoutMs: 20_000,
  }, LOOPBACK);
  const good = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const verdict = async (xml: string, syntax: string) => {
    const { flowId } = await pa.submit(outgoing(xml, { syntax, profile: undefined }));
    const { ack } = await settle(pa, flowId);
    return [ack.status, ack.details[0]?.reasonCode, ack.details[0]?.reasonMessage ?? ""] as const;
  };
  await t.step(
    "a good invoice is taken",
    async () => assertEquals((await verdict(good, "UBL"))[0], "Ok"),
  );
  await t.step("an invoice that breaks a rule is rejected, and the rule is named", async () => {
    const bad = good.replace(/(<cbc:PayableAmount[^>]*>)[^<]*/, "$199999.99").replace(
      "RI-100002",
      "RI-100003",
    );
    const [status, code, why] = await verdict(bad, "UBL");
    assertEquals([status, code], ["Error", "InvalidSchema"]);
    assertMatch(why, /BR-CO-16/);
  });
  await t.step("a status message that breaks a rule is not", async () => {
    const cdar = buildCdar({
      status: "205",
      at: "2026-10-02T09:30:00",
      invoiceNumber: "RI-100002",
      sellerSiren: "498259795",
    });
    assertEquals((await verdict(cdar, "CDAR")).slice(0, 2), ["Error", "InvoiceLCAccessDenied"]);
    const [, seller] =
      /<cac:AccountingSupplierParty>[\s\S]*?<cbc:CompanyID[^>]*>(\d{9})</.exec(good) ?? [];
    const [status, code, why] = await verdict(
      buildCdar({
        status: "205",
        at: "2026-10-02T09:30:00",
        invoiceNumber: "RI-100002",
        sellerSiren: seller,
        issuer: { id: seller ?? "", name: "Vendeur", role: "SE", address: seller ?? "" },
      }),
      "CDAR",
    );
    assertEquals([status, code], ["Error", "InvoiceLCRuleError"]);
    assertMatch(why, /BR-FR-CDV/);
  });
  await t.step("its page lists the flows", async () => {
    const page = await fetch(sandbox.url);
    assertEquals(page.status, 200);
    assertMatch(await page.text(), /RI-100002[\s\S]*Sandbox|Sandbox[\s\S]*RI-100002/);
  });
});
