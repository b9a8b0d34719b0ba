import { assertEquals } from "@std/assert";
import { Message } from "#src/definitions/message.ts";

Deno.test("a message that would show a brace or nothing is refused, a valid one is accepted", () => {
  const isValid = (text: string) => Message.safeParse(text).success;
  const invalid = ["{", "}", "{}", "{ }", "a{", "{a", "{,}", "{a,plural,}", "{a,select,}"];
  const nested = ["{n,plural,one{x}}", "{n,plural,other{{}}}", "{a,select,other{{b,plural,}}}"];
  for (const text of [...invalid, ...nested]) assertEquals(isValid(text), false, text);
  const valid = [
    "plain",
    "{name}",
    "x '{' y",
    "'{a}' and {b}",
    "l''{name}",
    "{n, plural, one {# row} other {# rows}}",
    "{a, select, yes {} other {no}}",
    "{n, number}",
  ];
  for (const text of valid) assertEquals(isValid(text), true, text);
});
