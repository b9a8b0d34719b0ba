import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { rarestWords } from "#src/sql/common_words.ts";
import { searchFor, searchWordsIn } from "#src/sql/search.ts";
import { testDatabase } from "#tests/support/db.ts";

Deno.test("a word is as common as it was a moment ago, however many words are asked for in between", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await db.execute(sql`insert into invoices (doc, dct, kco, status, search_text)
    select n::text, 'RI', '00001', '10', 'ri helios ' || n from generate_series(1, 200) n`);
  const rarest = async (words: string) => {
    const search = { column: invoices.searchText, words: searchWordsIn(words) };
    const found = await rarestWords(db, { table: invoices, id: invoices.id }, search);
    return found?.words.map(({ word }) => word);
  };
  assertEquals(await rarest("helios"), undefined);
  for (let n = 0; n < 1_100; n += 50) {
    const others = Array.from({ length: 50 }, (_, i) => `other${n + i}`);
    assertEquals(await rarest(`helios ${others.join(" ")}`), others);
  }
  assertEquals(await rarest("ri helios"), undefined);
});

Deno.test("a word that is said again and again is looked for once, whatever it stands in", () => {
  const again = Array.from({ length: 60 }, () => "ri RÌ").join(" ");
  assertEquals(searchWordsIn(again).map(({ word }) => word), ["ri"]);
  const { search } = searchFor(invoices.searchText, [again, "helios ri", "hel* hel* helios"]);
  assertEquals(search?.words, [
    { word: "ri", isBeginning: false },
    { word: "helios", isBeginning: false },
    { word: "hel", isBeginning: true },
  ]);
});
