import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCdar } from "#src/domain/cdar/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { decodeXml, parseXml, XmlError } from "#src/xml/mod.ts";
import { SplitError, splitXml } from "#src/xml/splitter.ts";
import { spoiled } from "./bytes.ts";
import type { Chance } from "./chance.ts";

const GOLDEN = join(import.meta.dirname ?? ".", "..", "..", "golden");

/** What strangers' documents meet first. Each ends with a value or with a failure it announces. */
const READERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  gate: (bytes) => parseXml(decodeXml(bytes)),
  cdar: (bytes) => parseCdar(parseXml(decodeXml(bytes))),
  splitter: async (bytes) => {
    for await (const piece of splitXml([bytes])) if (!piece) throw new Error("An empty piece");
  },
};
const EXPECTED = [XmlError, SplitError, AppError];
/** Far above what a document of this size may cost; a reader that passes it is not linear. */
const LIMIT_MS = 3_000;

export const SEEDS: readonly Uint8Array[] = globSync("{ubl,erp}/*.xml", { cwd: GOLDEN }).sort()
  .map((it) => new Uint8Array(readFileSync(join(GOLDEN, it)))).filter((it) => it.length < 100_000);

/** One spoiled document through every reader; resolves to what went wrong, as sentences. */
export async function fuzzDocument(chance: Chance): Promise<string[]> {
  const bytes = spoiled(chance.pick(SEEDS), SEEDS, chance);
  const wrong: string[] = [];
  for (const [name, read] of Object.entries(READERS)) {
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
