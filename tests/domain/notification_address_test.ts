import { assertEquals } from "@std/assert";
import { parseAddress, parseAddressList } from "#src/domain/mail/address.ts";

Deno.test("ordinary addresses are taken as they are, the domain in lower case", () => {
  for (
    const address of [
      "ann@example.fr",
      "a.b+c_d@mail.example.co.uk",
      "o'brien@example.com",
      "x@1a.fr",
      "!#$%&'*+/=?^_`{|}~-@a.fr",
    ]
  ) {
    assertEquals(parseAddress(address), address);
  }
  assertEquals(parseAddress("Ann@EXAMPLE.fr"), "Ann@example.fr");
});

Deno.test("I9: an international domain becomes its ASCII form", () => {
  assertEquals(parseAddress("ann@société.fr"), "ann@xn--socit-esab.fr");
  assertEquals(parseAddress("ann@１２７.0.0.1"), undefined);
});

Deno.test("I9: an address that could mean several addresses is refused", () => {
  const hostile = [
    "",
    "a",
    "@b.fr",
    "a@",
    "a@b",
    "a@b.fr\r\nBcc:x@y.fr",
    "a@b.fr\n",
    "a@b.fr ",
    " a@b.fr",
    `"x@evil y"@internal.fr`,
    `"a b"@c.fr`,
    `"\\"x@evil.fr> y"@internal.fr`,
    "Ann <a@b.fr>",
    "<a@b.fr>",
    "list:a@b.fr,c@d.fr",
    "undisclosed: a@b.fr",
    "@relay.fr:a@b.fr",
    "a@b.fr(comment)",
    "a(c)@b.fr",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@b..fr",
    "a@.b.fr",
    "a@b.fr.",
    "a@-b.fr",
    "a@b-.fr",
    "a..b@c.fr",
    ".a@b.fr",
    "a.@b.fr",
    "a@b@c.fr",
    "é@b.fr",
    "a\u0000@b.fr",
    "a@b.fr\u0000",
    "a@b_c.fr",
    "a@b.fr/path",
    "a@b.fr:25",
    "a@b.fr?x",
    "a%0d%0a@b.fr\r",
    `${"x".repeat(65)}@b.fr`,
    `a@${"b".repeat(64)}.fr`,
    `a@${"b.".repeat(130)}fr`,
  ];
  for (const text of hostile) assertEquals(parseAddress(text), undefined, JSON.stringify(text));
});

Deno.test("a list is separated by , or ; and names the pieces that are no address", () => {
  assertEquals(parseAddressList("a@b.fr;c@d.fr, a@b.fr ; nope"), {
    addresses: ["a@b.fr", "c@d.fr"],
    wrong: ["nope"],
  });
  assertEquals(parseAddressList(`"x,y"@b.fr`).addresses, []);
  assertEquals(parseAddressList(" ; , "), { addresses: [], wrong: [] });
});
