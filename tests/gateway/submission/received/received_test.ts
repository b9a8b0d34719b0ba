import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { getQuarantine, incoming, poll, readStatus, stage } from "../support.ts";

Deno.test("a supplier's CII and Factur-X are recorded and shown with all that UBL has", async (t) => {
  await using world = await stage();
  const { product } = world;
  const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const assignNumber = (number: string) =>
    readInvoice(parseXml(ubl.replaceAll("RI-100002", number)));
  const show = async (number: string) => {
    const [list, lines, vat] = await Promise.all(
      [
        `?direction=received&ublNumber=${number}`,
        `/${number}-PV-00000/lines`,
        `/${number}-PV-00000/vat`,
      ].map(async (path) => (await product.get(`/api/invoices${path}`)).body),
    );
    const [row] = list.invoices;
    assert(row, JSON.stringify(list));
    return JSON.parse(JSON.stringify({ row, lines, vat }).replaceAll(number, "SUP-1"));
  };
  await incoming(world, ubl.replaceAll("RI-100002", "SUP-1"));
  await incoming(world, writeCii(assignNumber("SUP-2")));
  const pdf = await createInvoicePdf().facturX(assignNumber("SUP-3"), { language: "fr" });
  const sent = new Uint8Array(pdf);
  await incoming(world, sent);
  await poll(world);
  assertEquals((await getQuarantine(world)).total, 0);

  const asUbl = await show("SUP-1");
  for (const number of ["SUP-2", "SUP-3"]) {
    await t.step(number, async () => {
      assertEquals(await readStatus(world, `${number}-PV-00000`), "202");
      const { row, lines, vat } = await show(number);
      assertEquals({ ...row, ...OWN }, { ...asUbl.row, ...OWN });
      assertEquals(lines, asUbl.lines);
      assertEquals(vat, asUbl.vat);
    });
  }
  await t.step("it is drawn as any other", async () => {
    const evidence = await product.get("/api/invoices/SUP-3-PV-00000/evidence");
    assertEquals(evidence.status, 200);
    const page = await product.get("/api/invoices/SUP-2-PV-00000/pdf");
    assertEquals(page.status, 200);
    const file = await product.request("/api/invoices/SUP-3-PV-00000/factur-x");
    assertEquals(new Uint8Array(await file.arrayBuffer()), sent);
  });
  await t.step("a PDF without an invoice is quarantined with the reason", async () => {
    const plain = await createInvoicePdf().render(assignNumber("SUP-4"), { language: "fr" });
    await incoming(world, new Uint8Array(plain));
    await poll(world);
    const { total, flows: [aside] } = await getQuarantine(world);
    assertEquals(total, 1);
    assertMatch(aside?.reason ?? "", /embeds no invoice/);
    const kept = await product.request(`/api/pa/quarantine/${aside?.flowId}/file`);
    assertEquals(new Uint8Array(await kept.arrayBuffer()), new Uint8Array(plain));
    assertEquals(aside?.fileSize, plain.length);
    assertMatch(kept.headers.get("content-disposition") ?? "", /^attachment; filename=".+\.pdf"$/);
  });
  await t.step(
    "so is a file that is too large, for good, and no more than its size is known",
    async () => {
      await incoming(world, ubl.replace("?>", `?>${" ".repeat(MAX_DOCUMENT_BYTES)}`));
      await poll(world);
      const { flows } = await getQuarantine(world);
      const aside = flows.find((it) => /larger than 16777216 bytes/.test(it.reason));
      assertEquals([aside?.kind, aside?.content, aside?.fileSize], ["unreadable", null, null]);
      const none = await product.get(`/api/pa/quarantine/${aside?.flowId}/file`);
      assertEquals(none.status, 404);
    },
  );
});

/** Fields that differ between recordings. */
const OWN = { statusAt: "", createdAt: "", updatedAt: "", paUuid: "" };
