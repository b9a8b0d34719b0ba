import { assert, assertEquals } from "@std/assert";
import { RULE_PROPERTIES } from "#src/domain/notification/mod.ts";
import { catalogueOf, problemsOfProperties } from "#src/domain/template/catalogue.ts";
import {
  isSecretProperty,
  SYSTEM_TEMPLATES,
  TEMPLATE_TYPES,
  type TemplateType,
} from "#src/domain/template/template.ts";
import { firstTemplates } from "#drizzle/seed/templates.ts";

const KINDS: readonly { type: TemplateType; name: string }[] = [
  ...SYSTEM_TEMPLATES.map((name) => ({ type: "system" as const, name })),
  ...TEMPLATE_TYPES.filter((it) => it !== "system").map((type) => ({ type, name: "x" })),
];

Deno.test("every property has help in both languages, and a secret knows where it is sent", () => {
  for (const kind of KINDS) {
    const { properties } = catalogueOf(kind);
    for (const [name, spec] of Object.entries(properties)) {
      assert(spec.help.en.length > 3 && spec.help.fr.length > 3, name);
      assertEquals(spec.type === "secret", isSecretProperty(name), name);
      if (spec.type === "secret") assert(spec.sentTo.every((it) => it in properties), name);
      if (spec.default && spec.type === "choice") assert(spec.choices.includes(spec.default), name);
    }
  }
});

Deno.test("the catalogue of rules is what rules are read from, the first templates hold known properties", () => {
  const { properties } = catalogueOf({ type: "notification-rule", name: "x" });
  assertEquals(Object.keys(properties).sort(), Object.keys(RULE_PROPERTIES).sort());
  for (const template of firstTemplates({ sandbox: true })) {
    assertEquals(problemsOfProperties(template), []);
  }
});

Deno.test("a value of another type than the property's is named with what was expected", () => {
  const global = (properties: Record<string, string>) =>
    problemsOfProperties({ name: "global", type: "system", properties });
  assertEquals(global({ sftpPort: "22", smtpSecure: " TLS ", own: "kept" }), []);
  assertEquals(global({ sftpPort: "99999", smtpSecure: "maybe" }), [
    'smtpSecure is "maybe"; expected starttls, tls or none',
    'sftpPort is "99999"; expected a whole number from 1 to 65535',
  ]);
});
