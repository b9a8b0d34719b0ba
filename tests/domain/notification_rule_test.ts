import { assert, assertEquals, assertMatch } from "@std/assert";
import { matches, portalAddress, readRule } from "#src/domain/notification/mod.ts";
import { NOTICE, problems, rule } from "./notification_support.ts";

Deno.test("portal target: a user unless a role is said, empty is a broadcast under the * sentinel", () => {
  const address = (properties: Record<string, string>) => portalAddress(rule(properties).target);
  assertEquals(address({}), "*");
  assertEquals(address({ "target.type": "User" }), "*");
  assertEquals(address({ "target.name": "Ann" }), "user:ann");
  assertEquals(
    address({ "target.type": "Role", "target.name": "Comptabilité" }),
    "role:Comptabilité",
  );
});

Deno.test("email list: addresses separated by , or ;", () => {
  assertEquals(rule({ "email.list": "a@b.fr; c@d.fr ,e@f.fr,,a@b.fr" }).emails, [
    "a@b.fr",
    "c@d.fr",
    "e@f.fr",
  ]);
});

Deno.test("a disabled rule is skipped at dispatch", () => {
  assert(matches(rule(), NOTICE, "issued"));
  for (const enabled of ["N", ""]) assert(!matches(rule({ enabled }), NOTICE, "issued"));
  const read = readRule({ name: "x", properties: {} });
  assert(read.ok && !read.rule.enabled, "without the property a rule is not active");
});

Deno.test("a rule matches when its status list is empty or contains the status", () => {
  assert(matches(rule({ "trigger.status": "10, 207" }), NOTICE, "issued"));
  assert(!matches(rule({ "trigger.status": "10" }), NOTICE, "issued"));
  assert(
    matches(rule({ "trigger.status": "200" }), { ...NOTICE, status: "10" }, "issued"),
    "200 is stored as 10",
  );
});

Deno.test("a rule matches when its reason list is empty or contains the reason", () => {
  assert(matches(rule({ "trigger.reason": "DOUBLON,TX_TVA_ERR" }), NOTICE, "issued"));
  assert(!matches(rule({ "trigger.reason": "DOUBLON" }), NOTICE, "issued"));
  assert(!matches(rule({ "trigger.reason": "DOUBLON" }), { ...NOTICE, reason: "" }, "issued"));
});

Deno.test("a rule matches when its direction is Any or equals the invoice direction", () => {
  const directions = (direction: string) =>
    (["issued", "received"] as const).map((it) => matches(rule({ direction }), NOTICE, it));
  assertEquals([directions("Any"), directions("Issued only"), directions("Received only")], [
    [true, true],
    [true, false],
    [false, true],
  ]);
});

Deno.test("a list with one wrong address is not also reported as empty", () => {
  const properties = { enabled: "Y", "channel.email": "Y", "email.list": "no address; x@evil y" };
  const read = readRule({ name: "x", properties });
  if (read.ok) throw new Error("the rule was read");
  const why = '"no address" is no address; "x@evil y" is no address';
  assertEquals(JSON.parse(JSON.stringify(read.fields)), { "email.list": why });
  assertEquals(read.problems.length, 2);
});

Deno.test("an invalid rule reports each wrong property and value", () => {
  assertMatch(
    problems({ "trigger.status": "207,abc" }),
    /trigger.status: "abc" is not in the catalogue/,
  );
  assertMatch(problems({ "trigger.reason": "NOPE" }), /trigger.reason: "NOPE"/);
  assertMatch(problems({ direction: "sideways" }), /direction: "sideways"/);
  assertMatch(
    problems({ "email.list": "a@b.fr, x@evil y" }),
    /email.list: "x@evil y" is no address/,
  );
  assertMatch(
    problems({ "email.list": Array.from({ length: 51 }, (_, n) => `a${n}@b.fr`).join() }),
    /51 addresses; 50/,
  );
  assertMatch(problems({ attachPdf: "yes" }), /attachPdf: "yes"/);
  assertMatch(problems({ colour: "red" }), /colour: no property of a rule/);
  assertMatch(problems({ "target.name": "a b" }), /target.name/);
  assertMatch(problems({ actions: "{" }), /actions: expected a JSON list/);
  assertMatch(problems({ actions: `[{"connector":"crm"}]` }), /call 1: target/);
  assertMatch(
    problems({ actions: `[{"connector":"a","target":"b","stop":true}]` }),
    /"stop" is no field/,
  );
  assertMatch(
    problems({ actions: JSON.stringify(Array(21).fill({ connector: "a", target: "b" })) }),
    /21 calls; 20/,
  );
});
