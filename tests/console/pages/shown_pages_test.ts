import { assertEquals } from "@std/assert";
import { readPage, shownPages } from "#src/console/components/read_page.ts";

Deno.test("a list with a limited count always has a next page", () => {
  const list = { size: 50, total: 1_000, isCapped: true };
  assertEquals(shownPages({ ...list, page: 20 }), {
    isBeyond: false,
    from: 951,
    to: 1_000,
    pages: 21,
    more: "+",
  });
  assertEquals(shownPages({ ...list, page: 25 }).isBeyond, false);
  assertEquals(shownPages({ page: 47, size: 50, total: 2_320 }), {
    isBeyond: false,
    from: 2_301,
    to: 2_320,
    pages: 47,
    more: "",
  });
  assertEquals(shownPages({ page: 48, size: 50, total: 2_320 }).isBeyond, true);
});

Deno.test("the page number of an address is one that the API accepts", () => {
  const named = ["1e9", "Infinity", "1000000", "2.7", "-3", "x", ""];
  const pages = named.map((page) => readPage(new URLSearchParams({ page })));
  assertEquals(pages, [1_000_000, 1_000_000, 1_000_000, 2, 1, 1, 1]);
});
