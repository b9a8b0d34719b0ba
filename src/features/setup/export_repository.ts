import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
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

/** Whose rows the code of the export gives; a table that is not named here, a later one too, is for administrators. */
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
 * All tables with their columns and rows as one JSON document, of one moment, secrets masked. Who is no administrator gets rows of
 * business data alone: invoices, lines, VAT, findings, runs and the catalogue. It is written into a file
 * first: nobody who reads slowly holds the database up.
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
    await spooled.discard(); // what nobody hears of, nobody gets
    throw error;
  }
  return spooled;
}
