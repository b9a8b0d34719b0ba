import { join, resolve } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Xsd } from "#src/ports/xsd.ts";
import { accepts } from "./automaton/accepts.ts";
import { loadSchema } from "./automaton/load.ts";
import type { SchemaTables } from "./automaton/tables.ts";
import type { Libxml2 } from "./libxml2.ts";

const SHIPPED = resolve(import.meta.dirname ?? ".", "../../../xsl/xsd");
const KINDS: Readonly<Record<string, string>> = {
  "ubl-invoice": "ubl-2.1/Invoice.xsd",
  "ubl-creditnote": "ubl-2.1/CreditNote.xsd",
  "cii-d16b": "cii-d16b/CrossIndustryInvoice.xsd",
  "cii-d22b": "cii-d22b/CrossIndustryInvoice.xsd",
  "cdar": "cdar/CrossDomainAcknowledgementAndResponse.xsd",
};

interface XsdOptions {
  /**
   * Kinds in addition to the shipped ones or instead of them: absolute path of the main schema; its folder
   * contains its imports.
   */
  readonly schemas?: Readonly<Record<string, string>>;
}

/**
 * Creates the validator. A parsed document of a shipped kind is validated with tables of its schema. libxml2
 * validates documents that the tables do not accept; it is loaded on first use. Tables and schemas of a kind are
 * made at their first use.
 */
export function createXsd({ schemas = {} }: XsdOptions = {}): Xsd {
  const shipped = new Map(
    Object.entries(KINDS).filter(([kind]) => !Object.hasOwn(schemas, kind))
      .map(([kind, file]) => [kind, join(SHIPPED, file)]),
  );
  const paths = new Map([...shipped, ...Object.entries(schemas)]);
  const tables = new Map<string, SchemaTables | undefined>();
  const getTables = (kind: string, path: string) => {
    if (shipped.has(kind) && !tables.has(kind)) tables.set(kind, loadSchema(path));
    return tables.get(kind);
  };
  let libxml2: Libxml2 | undefined;
  return {
    async validate(kind, xml, tree) {
      const path = paths.get(kind);
      if (path === undefined) {
        throw new AppError("unsupported", say`There is no XML schema for ${kind}`);
      }
      // Of bytes, or of another text, the tree is no proof.
      if (tree !== undefined && xml === tree.source) {
        const schema = getTables(kind, path);
        if (schema !== undefined && accepts(schema, tree)) return [];
      }
      const { openLibxml2 } = await import("./libxml2.ts");
      libxml2 ??= openLibxml2();
      return libxml2.validate(path, xml, tree);
    },
    kinds: () => [...paths.keys()],
    close() {
      tables.clear();
      libxml2?.close();
      libxml2 = undefined;
    },
  };
}
