import { assertEquals } from "@std/assert";
import { searchWordsIn } from "#src/platform/lists/search.ts";

Deno.test("a search names each word once; three letters with a star are the beginning of a word", () => {
  assertEquals(searchWordsIn("ri RÌ, hel* helios he*"), [
    { word: "ri", isBeginning: false },
    { word: "hel", isBeginning: true },
    { word: "helios", isBeginning: false },
    { word: "he", isBeginning: true },
  ]);
  assertEquals(searchWordsIn("he*"), [{ word: "he", isBeginning: false }]);
});

Deno.test("the first letter of a further word is left out while it is typed", () => {
  const ri = { word: "ri", isBeginning: false };
  assertEquals(searchWordsIn("RI-1*"), [ri]);
  assertEquals(searchWordsIn("RI-1"), [ri, { word: "1", isBeginning: false }]);
  assertEquals(searchWordsIn("RI-10*"), [ri, { word: "10", isBeginning: true }]);
  assertEquals(searchWordsIn("h*"), [{ word: "h", isBeginning: false }]);
});
