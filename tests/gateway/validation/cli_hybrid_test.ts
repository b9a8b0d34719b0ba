import { assertEquals, assertMatch } from "@std/assert";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { validateCommand } from "#src/cli/validate.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { inFolder } from "#tests/support/folder.ts";
import { INVOICE } from "./support.ts";

Deno.test("validate checks CII and Factur-X by their own rules, and says what a PDF lacks", () =>
  inFolder(async (folder) => {
    const invoice = readInvoice(parseXml(INVOICE));
    const pdf = createInvoicePdf();
    const extended = {
      ...invoice,
      customizationId: "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended",
    };
    const files: Record<string, string | Uint8Array> = {
      "cii.xml": writeCii(invoice),
      "bad.xml": writeCii({ ...invoice, number: undefined }),
      "factur-x.pdf": await pdf.facturX(invoice, { language: "fr" }),
      "other-profile.pdf": await pdf.facturX(extended, { language: "fr" }),
      "plain.pdf": await pdf.render(invoice, { language: "fr" }),
    };
    for (const [name, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    const out: string[] = [];
    const io = { env: {}, out: (line: string) => void out.push(line), err: () => {} };
    const paths = Object.keys(files).map((name) => `${folder}/${name}`);
    assertEquals(await validateCommand(["--json", ...paths], io), 1);
    const [cii, bad, hybrid, other, plain] = out.map((line) => JSON.parse(line));
    assertEquals([cii.valid, cii.xsd.valid, cii.findings], [true, true, []]);
    assertEquals(
      cii.sets.map((set: { id: string }) => set.id).includes("en16931-cii"),
      true,
    );
    assertEquals(bad.findings.map((it: { rule: string }) => it.rule).includes("BR-02"), true);
    assertEquals([hybrid.valid, hybrid.sets], [true, cii.sets]);
    const profile = other.findings.find((it: { rule: string }) => it.rule === "FX-PROFILE");
    assertEquals([profile.level, profile.source], ["WARNING", "Factur-X"]);
    assertEquals([plain.valid, plain.findings[0].rule], [false, "FX-UNREADABLE"]);
    assertMatch(plain.findings[0].messageEn, /embeds no invoice/);
  }));
