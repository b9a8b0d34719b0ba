import { assertEquals } from "@std/assert";
import { problemOf } from "#src/console/api/problem.ts";

Deno.test("a refusal is told in the words of whichever envelope the answer has", () => {
  const told = (body: unknown) => problemOf(new Response("", { status: 422 }), body).message;
  assertEquals(told({ success: false, error: "too long" }), "too long");
  assertEquals(told({ detail: "there is none" }), "there is none");
  assertEquals(told({ status: "failed", message: "not so" }), "not so");
  const detail = [
    { loc: ["query", "level", "0"], msg: "one of DEBUG, INFO is expected", type: "invalid_value" },
    { loc: ["body"], msg: "nothing is there", type: "missing" },
  ];
  assertEquals(told({ detail }), "level: one of DEBUG, INFO is expected\nnothing is there");
  const french = (name: string, value: string) => `${name}\u00a0: ${value}`;
  const refused = problemOf(new Response("", { status: 422 }), { detail }, french).message;
  assertEquals(refused, "level\u00a0: one of DEBUG, INFO is expected\nnothing is there");
  assertEquals(told({ detail: {} }), "HTTP 422");
  assertEquals(told(undefined), "HTTP 422");
});
