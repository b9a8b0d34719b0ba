import { assertEquals } from "@std/assert";
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { silentLog } from "#tests/support/log.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import type { Xslt } from "#src/ports/xslt.ts";
import { splitXml, standaloneXml } from "#src/xml/splitter.ts";
import {
  originalsWithoutDate,
  readNumberAndDate,
  withIssueDates,
} from "#src/gateway/documents/mod.ts";
import { canonical } from "./canonical.ts";
import { longTest } from "#tests/support/long.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const SHARED = process.env["PASSERELLE_SHARED"] ?? resolve(HERE, "../../../shared");
const GENERATOR = join(SHARED, "tools/french_invoices.py");
const xsd = createXsd();
/** Date of an original that is in no file; the gateway refuses such a credit note. */
const UNKNOWN = "1900-01-01";

interface Expected {
  readonly folder: string;
  /** Corrects values that the expected file cannot know. */
  readonly corrected?: (ubl: string) => string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Splits, transforms and compares each invoice with the expected one; returns its keys. */
async function compare(
  xslt: Xslt,
  report: string,
  { folder, corrected = (ubl) => ubl, params = {} }: Expected,
): Promise<string[]> {
  const outputs: string[] = [];
  for await (const piece of splitXml(createReadStream(report))) {
    const source = standaloneXml(piece);
    outputs.push((await xslt.transform({ stylesheet: STYLESHEET, source, params })).output);
  }
  const dates = new Map(outputs.flatMap((it) => {
    const found = readNumberAndDate(it);
    return found ? [[found.number, found.date] as const] : [];
  }));
  const keys: string[] = [];
  for (const undated of outputs) {
    for (const it of originalsWithoutDate({ ubl: undated })) {
      if (!dates.has(it)) dates.set(it, UNKNOWN);
    }
    const output = withIssueDates({ ubl: undated }, dates).ubl;
    const [, doc, dct, kco] =
      /<\?passerelle-key doc="([^"]*)" dct="([^"]*)" kco="([^"]*)"\?>/.exec(output) ?? [];
    const key = `${doc}-${dct}-${kco}`;
    const wanted = corrected(await readFile(join(folder, `${key}.xml`), "utf8"));
    assertEquals(canonical(output), canonical(wanted), key);
    assertEquals(
      await xsd.validate(dct === "RM" ? "ubl-creditnote" : "ubl-invoice", output),
      [],
      key,
    );
    keys.push(key);
  }
  return keys;
}

Deno.test("each golden report gives its golden invoices", async () => {
  const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
  try {
    const folder = join(HERE, "ubl");
    const burst = await compare(xslt, join(HERE, "erp/R42565-burst-12.xml"), { folder });
    const names = (await readdir(join(HERE, "ubl"))).map((name) => name.replace(".xml", ""));
    assertEquals(burst, names.sort());
    const single = await compare(xslt, join(HERE, "erp/R42565-single.xml"), { folder });
    assertEquals(single, ["100000-RI-00001"]);
  } finally {
    await xslt.close();
  }
});

async function datesIn(folder: string): Promise<Map<string, string>> {
  const texts = await Promise.all(
    (await readdir(folder)).map((it) => readFile(join(folder, it), "utf8")),
  );
  return new Map(texts.flatMap((it) => {
    const found = readNumberAndDate(it);
    return found ? [[found.number, found.date] as const] : [];
  }));
}

/**
 * Corrects three values of the generator that its reports do not contain. It confuses our order with the customer's,
 * the invoice date with the delivery date, and a credit note's date with its original's.
 */
function correct(ubl: string, dates: ReadonlyMap<string, string>): string {
  return ubl
    .replace(
      /(<cac:OrderReference>)<cbc:ID>([^<]*)<\/cbc:ID>/,
      "$1<cbc:ID>NA</cbc:ID><cbc:SalesOrderID>$2</cbc:SalesOrderID>",
    )
    .replace(/<cac:Delivery>.*?<\/cac:Delivery>/, "")
    .replace(
      /(<cac:InvoiceDocumentReference><cbc:ID>([^<]*)<\/cbc:ID><cbc:IssueDate>)[^<]*/,
      (_, open: string, number: string) => open + (dates.get(number) ?? UNKNOWN),
    );
}

if (spawnSync("python3", ["--version"]).status === 0) {
  longTest({
    name: "a hundred generated invoices come out as expected",
    async fn() {
      const folder = await mkdtemp(join(tmpdir(), "golden-"));
      const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
      try {
        execFileSync("python3", [GENERATOR, folder, "100", "20261120"], {
          env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" },
        });
        const expected = join(folder, "ubl");
        const dates = await datesIn(expected);
        const keys = await compare(xslt, join(folder, "burst.xml"), {
          folder: expected,
          corrected: (ubl) => correct(ubl, dates),
          params: { iban: "FR7630006000011234567890189" },
        });
        assertEquals(keys.length, 100);
      } finally {
        await xslt.close();
        await rm(folder, { recursive: true });
      }
    },
  });
}
