import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Spool, Spooled } from "#src/ports/spool.ts";
import {
  describeTables,
  hasBytes,
  isMasked,
  maskedRows,
  readRows,
  speakPlainly,
} from "./rows_store.ts";

/**
 * Tables of business data, readable with the export permission. Any other table, including future ones, is for
 * administrators.
 */
const BUSINESS: ReadonlySet<string> = new Set([
  "applications",
  "findings",
  "invoice_lines",
  "invoice_vat",
  "invoices",
  "modules",
  "runs",
  "themes",
]);

/**
 * Exports all tables with columns and rows as one JSON document, of one moment, with masked secrets. Users other than
 * administrators receive business data only: invoices, lines, VAT, findings, runs and the catalogue. Writes to a file
 * first, so that a slow reader does not occupy the database.
 */
export async function exportRepository(
  deps: Pick<Deps, "clock" | "db"> & { readonly spool: Spool },
  by: Actor,
): Promise<Spooled> {
  const isAdmin = by.permissions.codes.includes("*");
  let count = 0;
  const spooled = await deps.spool.write((write) =>
    deps.db.transaction(async (tx) => {
      await speakPlainly(tx);
      const tables = await describeTables(tx);
      await write('{"items":[');
      for (const table of tables) {
        const isWithheld = !isAdmin && !BUSINESS.has(table.name);
        const model = {
          ROW_ID: ++count,
          TABLE_NAME: table.name,
          COLUMNS: table.columns.map((it) => ({
            NAME: it.name.toUpperCase(),
            TYPE: it.type,
            NULLABLE: it.nullable ? "Y" : "N",
            MASKED: isMasked(table.name, it) ? "Y" : "N",
          })),
          WITHHELD: isWithheld ? "Y" : "N",
        };
        await write(`${count > 1 ? ",\n" : "\n"}${JSON.stringify(model).slice(0, -1)},"ROWS":[`);
        let rows = 0;
        if (!isWithheld) {
          for await (
            const lines of readRows(tx, maskedRows(table), { hasBytes: hasBytes(table) })
          ) {
            await write(`${rows ? ",\n" : "\n"}${lines.join(",\n")}`);
            rows += lines.length;
          }
        }
        await write(`],"ROW_COUNT":${rows}}`);
      }
      await write(`\n],"status":"success","count":${count}}\n`);
    }, { isolationLevel: "repeatable read", accessMode: "read only" })
  );
  try {
    await recordAudit(deps, {
      actor: by,
      event: "repository.exported",
      after: { tables: count, bytes: spooled.size, whole: isAdmin },
    });
  } catch (error) {
    await spooled.discard(); // an export without audit record must not be delivered
    throw error;
  }
  return spooled;
}
