import { assert, assertEquals, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openRuleBook } from "#src/adapters/rules/book.ts";
import { newRuleSet } from "#src/adapters/rules/rule_set.ts";
import { SHIPPED_FOLDER, shippedSets } from "#src/adapters/rules/shipped.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { parseXml } from "#src/xml/mod.ts";
import { testDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

const INVOICE = resolve(import.meta.dirname ?? ".", "../golden/ubl/100000-RI-00001.xml");

function ship(id: string): RuleSet {
  const set = shippedSets(SHIPPED_FOLDER).find((it) => it.manifest.id === id);
  if (set === undefined) throw new Error(`${id} does not ship`);
  return set;
}

Deno.test("a rule set compiled in slices yields to other work and gives the same verdicts", async () => {
  const inTurns = ship("en16931-ubl");
  const atOnce = ship("en16931-ubl");
  let turns = 0;
  let isReady = false;
  const others = (async () => {
    for (; !isReady; turns++) await nextTurn();
  })();
  const once = inTurns.ready();
  assert(inTurns.ready() === once, "who asks meanwhile waits for the same");
  await once;
  isReady = true;
  await others;
  assert(turns > 2, `${turns} turns`);

  const broken = readFileSync(INVOICE, "utf8").replace(/(<cbc:PayableAmount[^>]*>)/, "$19");
  const [mine, theirs] = [inTurns, atOnce].map((it) => it.schema().run(parseXml(broken)));
  assert((mine?.failures.length ?? 0) > 0);
  assertEquals(mine, theirs);
});

Deno.test("a rule set that does not compile is ready too, and reports the reason when it validates", async () => {
  const { manifest } = ship("en16931-ubl");
  const entry = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><pattern><rule context="a">
    <assert id="R-1" test="b["/></rule></pattern></schema>`;
  const set = newRuleSet(manifest, {
    files: () => ({ [manifest.entry]: entry }),
    from: "installed",
    state: { effectiveFrom: "", active: true },
  });
  await set.ready();
  assertThrows(() => set.schema(), Error, "R-1");
});

Deno.test("a rule book compiles no shipped rule set before the first validation", async () => {
  await using database = await testDatabase();
  const live = tableLiveBus({ database, log: silentLog, pollMs: 50 });
  const refuse = () => {
    throw new Error("compiled before its time");
  };
  const sets = shippedSets(SHIPPED_FOLDER)
    .map((it) => ({ ...it, files: refuse, model: refuse, schema: refuse, ready: refuse }));
  await using book = await openRuleBook({
    db: database.db,
    live,
    log: silentLog,
    pollMs: 50,
    shipped: sets,
  });
  assertEquals(book.sets().length, sets.length);
});
