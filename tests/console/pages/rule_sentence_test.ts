import { assertEquals } from "@std/assert";
import {
  describeRule,
  lacksAddress,
  type SentenceWords,
} from "#src/console/pages/notifications/rule_sentence.ts";

const words: SentenceWords = {
  anyStatus: "At each change",
  statuses: (it) => `When ${it}`,
  reasons: (it) => `for ${it}`,
  directions: { "Issued only": "(sales)" },
  or: "or",
  and: "and",
  message: (it) => `message ${it}`,
  email: (it) => `e-mail to ${it}`,
  calls: (it) => `${it} calls`,
  toEverybody: "to everybody",
  toRole: (it) => `to the role ${it}`,
  toUser: (it) => `to ${it}`,
  nothing: "nothing",
  sentence: (when, deeds) => `${when}: ${deeds}`,
};

Deno.test("a rule is one sentence: when it fires, whom it tells, and what it calls", () => {
  const describe = (properties: Record<string, string>) =>
    describeRule(properties, {
      words,
      nameCode: (_, code) => ({ "210": "Refused", "213": "Rejected" })[code] ?? code,
      nameRole: (it) => it.toUpperCase(),
      channels: [],
    });
  assertEquals(describe({}), "At each change: message to everybody");
  assertEquals(
    describe({
      "trigger.status": "210, 213",
      direction: "Issued only",
      "target.type": "Role",
      "target.name": "clerks",
      "channel.email": "Y",
      "email.list": "a@x.fr; b@x.fr",
    }),
    "When Refused or Rejected (sales): message to the role CLERKS, e-mail to a@x.fr and b@x.fr",
  );
  assertEquals(
    describe({ "target.name": "eve", "channel.email": "Y" }),
    "At each change: message to eve, e-mail to eve",
  );
  assertEquals(describe({ "channel.portal": "N", actions: "[{}]" }), "At each change: 1 calls");
  assertEquals(describe({ "channel.portal": "N" }), "At each change: nothing");
});

Deno.test("a rule with e-mails needs an address, or a user who also gets the message", () => {
  const mail = { "channel.email": "Y" };
  assertEquals(lacksAddress({}), false);
  assertEquals(lacksAddress(mail), true);
  assertEquals(lacksAddress({ ...mail, "email.list": " , " }), true);
  assertEquals(lacksAddress({ ...mail, "email.list": "a@x.fr" }), false);
  assertEquals(lacksAddress({ ...mail, "target.name": "eve" }), false);
  assertEquals(lacksAddress({ ...mail, "target.name": "eve", "channel.portal": "N" }), true);
  assertEquals(lacksAddress({ ...mail, "target.name": "clerks", "target.type": "Role" }), true);
});
