import { assertEquals } from "@std/assert";
import { chooseTitle, wordsIn } from "#src/invoice_page/labels/words.ts";
import type { Language } from "#src/kernel/language.ts";

function show(text: string | undefined): string | undefined {
  return text?.replace(/\u00A0/g, "~").replace(/\u202F/g, "_");
}

Deno.test("amounts are grouped and kept exact in both languages", () => {
  const expected: [string, string, string][] = [
    ["1234567.5", "1_234_567,50", "1,234,567.50"],
    ["-0.301", "\u22120,301", "\u22120.301"],
    ["0012", "12,00", "12.00"],
    [".5", "0,50", "0.50"],
    ["100.0000", "100,00", "100.00"],
    ["12345678901234567890.99", "12_345_678_901_234_567_890,99", "12,345,678,901,234,567,890.99"],
  ];
  for (const [value, fr, en] of expected) {
    assertEquals(show(wordsIn("fr", "EUR").amount(value)), fr);
    assertEquals(show(wordsIn("en", "EUR").amount(value)), en);
  }
});

Deno.test("currencies without a smaller unit get no decimals", () => {
  assertEquals(show(wordsIn("fr", "XPF").money("15000")), "15_000~XPF");
  assertEquals(show(wordsIn("en", "JPY").money("15000")), "JPY~15,000");
  assertEquals(show(wordsIn("en", "EUR").money("15000")), "€15,000.00");
});

Deno.test("dates, rates and units follow the language", () => {
  const words = (language: Language) => wordsIn(language, "EUR");
  assertEquals(words("fr").date("2026-09-05"), "05/09/2026");
  assertEquals(words("en").date("2026-09-05"), "5 Sep 2026");
  assertEquals(show(words("fr").percent("5.50")), "5,5~%");
  assertEquals(words("en").percent("5.50"), "5.5%");
  assertEquals(words("fr").unit("DAY", "1.5"), "jour");
  assertEquals(words("fr").unit("DAY", "2"), "jours");
  assertEquals(words("en").unit("DAY", "1.5"), "days");
  assertEquals(words("en").unit("XYZ", "2"), "XYZ");
});

Deno.test("the title follows the type code, else the kind of message", () => {
  const fr = wordsIn("fr", "EUR");
  assertEquals(chooseTitle("invoice", "389", fr), "Facture auto-facturée");
  assertEquals(chooseTitle("creditNote", "381", fr), "Avoir");
  assertEquals(chooseTitle("invoice", "999", fr), "Facture");
  assertEquals(chooseTitle("creditNote", undefined, wordsIn("en", "EUR")), "Credit note");
});
