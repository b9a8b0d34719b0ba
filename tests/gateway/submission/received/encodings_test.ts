import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { encodeXml, parseXml } from "#src/xml/mod.ts";
import { printedPages } from "#tests/adapters/pdf_text.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { getQuarantine, incoming, poll, readStatus, type Stage, stage } from "../support.ts";

const WORDS: Readonly<Record<string, string>> = {
  latin: "Société Générale de l'Été",
  wide: "Crédit à 5 € – l’œuvre",
  any: "Écart à Łódź, 5 €",
};

/** Name of a party in the document, and the document's bytes. */
const SENT: Readonly<
  Record<string, { readonly name: string; bytes(text: string): Uint8Array<ArrayBuffer> }>
> = {
  "ISO-8859-1": { name: "latin", bytes: (text) => declare(text, "ISO-8859-1") },
  "windows-1252": { name: "wide", bytes: (text) => declare(text, "windows-1252") },
  "UTF-16": { name: "any", bytes: (text) => declare(text, "UTF-16") },
  "UTF-16, the greater byte first": {
    name: "any",
    bytes: (text) => {
      const bytes = declare(text, "UTF-16");
      for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse();
      return bytes;
    },
  },
};

function declare(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  return encodeXml(text.replace("UTF-8", encoding));
}

Deno.test("a supplier's invoice in another encoding is validated and shown as in UTF-8, and stored unchanged", async (t) => {
  await using world = await stage();
  const golden = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const buyer = readInvoice(parseXml(golden)).buyer.name ?? "";
  assert(golden.includes('encoding="UTF-8"') && buyer !== "", "the sample names both");
  const invoice = (number: string, name: string) =>
    golden.replaceAll("RI-100002", number).replaceAll(buyer, name);
  const cii = (number: string, name: string) =>
    writeCii(readInvoice(parseXml(invoice(number, name))));
  let nth = 0;
  for (const [encoding, { name, bytes }] of Object.entries(SENT)) {
    for (const [syntax, write] of [["UBL", invoice], ["CII", cii]] as const) {
      await t.step(`${syntax} in ${encoding}`, async () => {
        const [plain, other] = [`ENC-${++nth}`, `ENC-${++nth}`];
        const words = WORDS[name] ?? "";
        const sent = bytes(write(other, words));
        await incoming(world, new TextDecoder().decode(declare(write(plain, words), "UTF-8")));
        await arrives(world, sent);
        await poll(world);
        assertEquals((await getQuarantine(world)).flows, []);
        assertEquals(await readStatus(world, `${other}-PV-00000`), "202");
        const shown = await shownOf(world, other);
        assertEquals(shown, await shownOf(world, plain));
        assertEquals(shown.row.customerName, words);
        assert((await printedIn(world, other)).includes(words), "the name is in the PDF");
        assertEquals(await readEvidence(world, other), sent);
      });
    }
  }
});

/** Delivers bytes, because a text cannot represent another declared encoding. */
async function arrives({ product }: Stage, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { "content-type": "application/xml" };
  const url = `${product.sandbox.url}/sandbox/incoming`;
  const answer = await fetch(url, { method: "POST", headers, body });
  assertEquals(answer.status, 201, await answer.text());
}

async function shownOf({ product }: Stage, number: string) {
  const paths = [
    `?direction=received&ublNumber=${number}`,
    ...["lines", "vat", "errors"].map((part) => `/${number}-PV-00000/${part}`),
  ];
  const [list, ...parts] = await Promise.all(
    paths.map(async (path) => (await product.get(`/api/invoices${path}`)).body),
  );
  const { statusAt: _, createdAt: __, updatedAt: ___, paUuid: ____, ...row } = list.invoices[0];
  return JSON.parse(JSON.stringify({ row, parts }).replaceAll(number, "SAME"));
}

async function printedIn({ product }: Stage, number: string): Promise<string> {
  const answer = await product.request(`/api/invoices/${number}-PV-00000/pdf`);
  const pages = await printedPages(new Uint8Array(await answer.arrayBuffer()));
  return pages.flat().map(({ text }) => text).join(" ");
}

async function readEvidence({ product }: Stage, number: string): Promise<Uint8Array | undefined> {
  const answer = await product.request(`/api/invoices/${number}-PV-00000/evidence`);
  const files = new Map(zipArchive.unzip(new Uint8Array(await answer.arrayBuffer())));
  const { records } = JSON.parse(new TextDecoder().decode(files.get("manifest.json")));
  const received = records.find((it: { kind: string }) => it.kind === "received");
  return files.get(received?.file ?? "");
}
