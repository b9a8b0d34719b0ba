import { assertEquals } from "@std/assert";
import { searchWordsIn } from "#src/platform/lists/search.ts";

Deno.test("a search names each word once; three letters with a star are the beginning of a word", () => {
  assertEquals(searchWordsIn("ri RÌ, hel* helios he*"), [
    { word: "ri", isBeginning: false },
    { word: "hel", isBeginning: true },
    { word: "helios", isBeginning: false },
    { word: "he", isBeginning: false },
  ]);
});
