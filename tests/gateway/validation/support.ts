import { strToU8, zipSync } from "fflate";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { inEnglish } from "#tests/support/product.ts";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { type OpenRuleBook, openRuleBook } from "#src/adapters/rules/book.ts";
import { validationRoutes } from "#src/gateway/validation/registry/routes.ts";
import { openAccess } from "#src/http/guard.ts";
import { httpTier } from "#src/http/tier.ts";
import type { Database } from "#src/ports/db.ts";
import type { Manifest } from "#src/ports/rule_manifest.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

export const GOLDEN = new URL("../../golden/ubl/", import.meta.url);
export const INVOICE = Deno.readTextFileSync(new URL("100000-RI-00001.xml", GOLDEN));

export const xsd = createXsd();

export interface Rule {
  readonly id: string;
  readonly test: string;
  readonly flag?: string;
}

/** Returns a schema over the root of an invoice, with the prefixes `ubl`, `cac`, `cbc`. */
export function schema(rules: readonly Rule[], inside = ""): string {
  const asserts = rules.map(({ id, test, flag = "fatal" }) =>
    `<assert id="${id}" flag="${flag}" see="BT-1" test="${test}" diagnostics="${id}-fr">${id} in English</assert>`
  );
  const diagnostics = rules.map(({ id }) =>
    `<diagnostic id="${id}-fr" xml:lang="fr">${id} en français</diagnostic>`
  );
  return `<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">
<ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>
<ns prefix="cac" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"/>
<ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>
${inside}<pattern id="p"><rule context="/ubl:Invoice">${asserts.join("")}</rule></pattern>
<diagnostics>${diagnostics.join("")}</diagnostics>
</schema>`;
}

export function manifest(given: Partial<Manifest> = {}): Manifest {
  return {
    id: "house",
    version: "1.0",
    title: { fr: "Règles maison", en: "House rules" },
    entry: "house.sch",
    appliesTo: { roots: ["Invoice"], customizationId: ["urn:cen.eu:en16931:2017"] },
    ...given,
  };
}

export function release(
  given: Partial<Manifest>,
  files: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const all = { "ruleset.json": JSON.stringify(manifest(given)), ...files };
  return getZip(all);
}

export function getZip(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return new Uint8Array(zipSync(Object.fromEntries(entries)));
}

/** Returns a clock that stays at the given time. */
export function clockAt(moment: string) {
  let now = new Date(moment);
  return { now: () => now, set: (next: string) => void (now = new Date(next)) };
}

export interface House extends AsyncDisposable {
  readonly database: Database;
  readonly deps: Parameters<typeof validationRoutes>[0];
  readonly clock: ReturnType<typeof clockAt>;
  readonly folder: string;
  /** Opens another process of the fleet. */
  another(): Promise<OpenRuleBook>;
  /** Sends bytes as `type`, other values as JSON. */
  call(method: string, path: string, body?: object | Uint8Array, type?: string): Promise<Answer>;
  /** Calls with the tag of the rules' state that the caller has seen. */
  callSeen(tag: string, method: string, path: string, body?: object): Promise<Tagged>;
}

export interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** Answer with its `ETag`, or "" without one. */
interface Tagged extends Answer {
  readonly tag: string;
}

/** Opens the feature on its own database and data folder, with the shipped rule sets. */
export async function house(options: { embedded?: boolean } = {}): Promise<House> {
  const database = await testDatabase(options.embedded ? undefined : postgresUrl);
  const folder = await Deno.makeTempDir({ prefix: "passerelle-rules-" });
  const clock = clockAt("2026-11-20T09:00:00Z");
  const live = tableLiveBus({ database, log: silentLog, pollMs: 50 });
  const open = () => openRuleBook({ db: database.db, live, log: silentLog, pollMs: 50 });
  const rules = await open();
  const settings = { maxUploadBytes: 1_000_000 } as House["deps"]["settings"];
  const storage = await folderStorage(folder);
  const deps = { clock, db: database.db, live, rules, settings, storage, xsd };
  const app = httpTier(() => [validationRoutes(deps)], {
    access: openAccess,
    log: silentLog,
    version: "0",
  });
  const request = async (path: string, init: RequestInit): Promise<Tagged> => {
    const response = await app.request(path, { ...init, headers: inEnglish(init.headers) });
    const tag = response.headers.get("etag") ?? "";
    return { status: response.status, body: await response.json(), tag };
  };
  const JSON_TYPE = "application/json";
  return {
    database,
    deps,
    clock,
    folder,
    another: open,
    async call(method, path, body, fileType = "application/octet-stream") {
      const isFile = body instanceof Uint8Array;
      const headers = { "content-type": isFile ? fileType : JSON_TYPE };
      const content = isFile ? new Uint8Array(body) : JSON.stringify(body);
      const init = body === undefined ? { method } : { method, body: content, headers };
      const { tag: _, ...answer } = await request(path, init);
      return answer;
    },
    async callSeen(tag, method, path, body) {
      const headers = { "if-match": tag, "content-type": JSON_TYPE };
      return await request(path, { method, headers, ...body && { body: JSON.stringify(body) } });
    },
    async [Symbol.asyncDispose]() {
      await rules[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
