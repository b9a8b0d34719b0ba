import { assertEquals } from "@std/assert";
import { createProblem } from "#src/console/api/problem.ts";

Deno.test("errors are read from all envelopes of the API", () => {
  const report = (body: unknown) => createProblem(new Response("", { status: 422 }), body).message;
  assertEquals(report({ success: false, error: "too long" }), "too long");
  assertEquals(report({ detail: "there is none" }), "there is none");
  assertEquals(report({ status: "failed", message: "not so" }), "not so");
  const detail = [
    { loc: ["query", "level", "0"], msg: "one of DEBUG, INFO is expected", type: "invalid_value" },
    { loc: ["body"], msg: "nothing is there", type: "missing" },
  ];
  assertEquals(report({ detail }), "level: one of DEBUG, INFO is expected\nnothing is there");
  const french = (name: string, value: string) => `${name}\u00a0: ${value}`;
  const refused = createProblem(new Response("", { status: 422 }), { detail }, french).message;
  assertEquals(refused, "level\u00a0: one of DEBUG, INFO is expected\nnothing is there");
  assertEquals(report({ detail: {} }), "HTTP 422");
  assertEquals(report(undefined), "HTTP 422");
});
