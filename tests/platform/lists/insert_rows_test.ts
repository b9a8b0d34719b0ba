import { assertEquals } from "@std/assert";
import { asc, eq } from "drizzle-orm";
import { invoiceLines, invoices, lifecycleEvents } from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import { getRows } from "#src/ports/db.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";

const AT = new Date("2026-09-30T10:11:12.345Z");
const KEY = { dct: "RI", kco: "00001", status: "9901", statusAt: AT };

for (const [name, url] of [["PGlite", undefined], ["PostgreSQL", postgresUrl]] as const) {
  Deno.test({
    name: `rows given as one value are stored as they are, in their order (${name})`,
    ...name === "PostgreSQL" && deps(name, url),
    fn: async () => {
      await using database = await testDatabase(url);
      await store(database);
    },
  });
}

async function store({ db }: Database): Promise<void> {
  const verdict = { sets: [{ id: "en16931-ubl" }], text: 'é "quoted" \\ \n' };
  const rows = [
    {
      ...KEY,
      doc: "1",
      generation: 3,
      searchText: "one",
      totalHT: "12345678901234567.123456",
      verdict,
      issueDate: "2026-09-30",
    },
    { ...KEY, doc: "2", template: "R42565 \ud83e" }, // a text cut in the middle of a character
  ];
  const given = await insertRows(db, invoices, rows, {
    tail: "on conflict (doc, dct, kco) do nothing returning id, doc",
  });
  const [first, second] = getRows<{ id: string; doc: string }>(given);
  assertEquals([first?.doc, second?.doc, Number(second?.id) - Number(first?.id)], ["1", "2", 1]);
  assertEquals(
    getRows(await insertRows(db, invoices, rows, { tail: "on conflict do nothing returning id" })),
    [],
  );
  const [one, two] = await db.select().from(invoices).orderBy(asc(invoices.id));
  assertEquals([one?.totalHT, one?.verdict, one?.issueDate, one?.statusAt], [
    "12345678901234567.123456",
    verdict,
    "2026-09-30",
    AT,
  ]);
  assertEquals([one?.template, two?.template, two?.verdict], [null, "R42565 \ufffd", null]);
  assertEquals([one?.generation, one?.searchText], [3, "one"]);
  assertEquals([two?.direction, two?.generation, two?.searchText], ["issued", 0, ""]);

  const invoiceId = Number(first?.id);
  await insertRows(db, invoiceLines, [{ invoiceId, seq: 1, lineId: 1, unitPrice: "0.0000000001" }]);
  const [line] = await db.select().from(invoiceLines);
  assertEquals(line?.unitPrice, "0.0000000001");

  const event = { invoiceId, statusCode: "9900", source: "pipeline", occurredAt: AT };
  const computed = { seq: "r.seq + 41" };
  await insertRows(db, lifecycleEvents, [{ ...event, seq: 1 }, { ...event, seq: 2 }], { computed });
  const seqs = await db.select({ seq: lifecycleEvents.seq }).from(lifecycleEvents)
    .where(eq(lifecycleEvents.invoiceId, invoiceId)).orderBy(asc(lifecycleEvents.seq));
  assertEquals(seqs.map((it) => it.seq), [42, 43]);
}
