import { assertEquals } from "@std/assert";
import { spacedWords, spacePunctuation } from "#src/console/i18n/french.ts";

Deno.test("French punctuation never starts a line, and quoted text stays unchanged", () => {
  assertEquals(
    spacePunctuation("22,20 ; BT-112 : « 99,99 » !"),
    "22,20\u00a0; BT-112\u00a0: «\u00a099,99\u00a0»\u00a0!",
  );
  assertEquals(
    spacePunctuation("Le paramètre :id de « a != b » manque (pourquoi ?)."),
    "Le paramètre :id de «\u00a0a != b\u00a0» manque (pourquoi\u00a0?).",
  );
  const words = spacedWords({
    plain: "Fini : rien ?",
    parts: { done: "Fait !" },
    list: ["un : deux"],
    quoted: (text: string) => `« ${text} » : ${text.length}`,
    count: (one: string, two: number) => two > 1 ? `${one} : ${two}` : one,
  });
  assertEquals(words.plain, "Fini\u00a0: rien\u00a0?");
  assertEquals(words.parts.done, "Fait\u00a0!");
  assertEquals(words.list, ["un\u00a0: deux"]);
  assertEquals(words.quoted("Nord ; Sud"), "«\u00a0Nord ; Sud\u00a0»\u00a0: 10");
  assertEquals(words.count("a ! b", 2), "a ! b\u00a0: 2");
});
