import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { buildCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { utf8Text } from "#src/kernel/text.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import { decodeXml } from "#src/xml/encoding.ts";
import { SplitError, splitXml } from "#src/xml/splitter.ts";
import { CONNECTORS, DICTIONARY, MENUS, POOLS, SCREENS } from "../settings.ts";
import { spoil } from "./bytes.ts";
import type { Chance } from "./chance.ts";

const GOLDEN = join(import.meta.dirname ?? ".", "..", "..", "golden");

/** Parsers of untrusted documents. Each returns a value or throws a declared error. */
const READERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  gate: (bytes) => parseXml(decodeXml(bytes)),
  cdar: (bytes) => parseCdar(parseXml(decodeXml(bytes))),
  splitter: async (bytes) => {
    for await (const piece of splitXml([bytes])) if (!piece) throw new Error("An empty piece");
  },
};
const YAML_READERS: typeof READERS = {
  yaml: (bytes) => yamlTexts.read(utf8Text("x", bytes)),
};
const EXPECTED = [XmlError, SplitError, AppError];
/** Far above the time for a document of this size; a parser that exceeds it is not linear. */
const LIMIT_MS = 3_000;

const STATUS_MESSAGE = buildCdar({
  at: "2026-10-02T09:30:00",
  invoiceNumber: "F-1",
  invoiceType: "380",
  invoiceDate: "2026-10-01",
  sellerSiren: "498259795",
  issuer: { id: "448337881", scheme: "0002", name: "Acheteur", role: "BY" },
  recipients: [{ id: "498259795", scheme: "0002", name: "Vendeur", role: "SE" }],
  status: "207",
  reasons: [{ code: "QTE_ERR", actionCode: "CNP", comment: "8 livrées & 10 facturées" }],
});

const encode = (text: string) => new TextEncoder().encode(text);

export const SEEDS: readonly Uint8Array[] = [
  ...globSync("{ubl,erp}/*.xml", { cwd: GOLDEN }).sort()
    .map((it) => new Uint8Array(readFileSync(join(GOLDEN, it)))).filter((it) =>
      it.length < 100_000
    ),
  ...Array.from({ length: 10 }, () => encode(STATUS_MESSAGE)),
];
/** Sections of the settings. */
export const YAML_SEEDS: readonly Uint8Array[] = [
  POOLS,
  CONNECTORS,
  DICTIONARY,
  MENUS,
  SCREENS,
  "a: &a { b: [1, 2] }\nc: *a\nd: |\n  text\n",
].map(encode);

/** Feeds one mutated document to every parser; resolves to sentences about failures. */
export async function fuzzDocument(chance: Chance): Promise<string[]> {
  const [seeds, readers] = chance.oneIn(5) ? [YAML_SEEDS, YAML_READERS] : [SEEDS, READERS];
  const bytes = spoil(chance.pick(seeds), seeds, chance);
  const wrong: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const begin = performance.now();
    try {
      await read(bytes);
    } catch (error) {
      const isExpected = EXPECTED.some((it) => error instanceof it);
      if (!isExpected) wrong.push(`${name}: ${(error as Error).stack}`);
    }
    const ms = performance.now() - begin;
    if (ms > LIMIT_MS) wrong.push(`${name}: ${Math.round(ms)} ms for ${bytes.length} bytes`);
  }
  return wrong;
}
