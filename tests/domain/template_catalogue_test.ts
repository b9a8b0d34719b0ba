import { assert, assertEquals, assertThrows } from "@std/assert";
import { getCatalogue, problemsOfProperties } from "#src/domain/template/catalogue.ts";
import {
  describeExpectation,
  documentProperty,
  globalProperty,
  paProperty,
} from "#src/domain/template/read_property.ts";
import { collectSecrets, problemsOfSecrets, withSecrets } from "#src/domain/template/secrets.ts";
import {
  SYSTEM_TEMPLATES,
  TEMPLATE_TYPES,
  type TemplateType,
} from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { firstTemplates } from "#drizzle/seed/templates.ts";

const KINDS: readonly { type: TemplateType; name: string }[] = [
  ...SYSTEM_TEMPLATES.map((name) => ({ type: "system" as const, name })),
  ...TEMPLATE_TYPES.filter((it) => it !== "system").map((type) => ({ type, name: "x" })),
];

Deno.test("every property has a label and help in both languages, and a secret knows where it is sent", () => {
  for (const kind of KINDS) {
    const { properties } = getCatalogue(kind);
    for (const language of ["en", "fr"] as const) {
      const labels = Object.values(properties).map((it) => it.label[language]);
      assertEquals(labels.length, new Set(labels).size, `labels of ${kind.name} differ`);
    }
    for (const [name, spec] of Object.entries(properties)) {
      assert(spec.help.en.length > 3 && spec.help.fr.length > 3, name);
      assert(spec.label.en.length > 2 && spec.label.fr.length > 2, name);
      if (spec.type === "choice" && spec.choiceLabels) {
        assertEquals(Object.keys(spec.choiceLabels), [...spec.choices], name);
      }
      if (spec.type === "secret") assert(spec.sentTo.every((it) => it in properties), name);
      if (spec.default) assertEquals(describeExpectation(spec, spec.default), undefined, name);
      if (spec.otherwise) assert(spec.otherwise.en && spec.otherwise.fr && !spec.default, name);
    }
  }
});

Deno.test("a line of text has a maximum length, and a company code must fit the key of an invoice", () => {
  const problemsOf = (properties: Record<string, string>) =>
    problemsOfProperties({ name: "R1", type: "document", properties }).map(String);
  assertEquals(problemsOf({ company: "00001", report: "R".repeat(4_000) }), []);
  for (const company of ["00-01", "00 01", "9".repeat(21)]) {
    assertEquals(problemsOf({ company }), [
      `company is "${company}"; expected 1 to 20 characters without spaces and hyphens`,
    ]);
  }
  assertEquals(problemsOf({ siren: "784671695" }), []);
  assertEquals(problemsOf({ siren: "12" }), [
    'siren is "12"; expected a SIREN: nine digits, of which the last is a check digit',
  ], "nobody's");
  for (const element of ["Invoice_Header_S11", "n:Invoice", "Facture-é.1", "_x"]) {
    assertEquals(problemsOf({ element }), [], element);
  }
  for (
    const element of ["1 bad", "<Invoice>", "/Invoices/Invoice", "Invoice,CreditNote", "a:b:c"]
  ) {
    const expected = `element is "${element}"; expected the name of an XML element`;
    assertEquals(problemsOf({ element }), [expected], "no file has one");
  }
  assertEquals(problemsOf({ report: "R".repeat(100_000) }), [
    `report is "${"R".repeat(100)}"; expected at most 4000 characters`,
  ]);
});

Deno.test("the catalogue defines secrets; for other names the template's list decides, else a proposal by name", () => {
  const own = { name: "c", type: "connector" as const };
  const properties = { URL: "https://a.example", apiKey: "a", access_code: "b", region: "fr" };
  const proposed = withSecrets({ ...own, properties });
  assertEquals(proposed.secrets, ["apiKey"]);
  assertEquals(collectSecrets(proposed), ["a"]);
  const declared = withSecrets({ ...own, properties, secrets: ["access_code"] });
  assertEquals(collectSecrets(declared), ["b"]);
  const later = withSecrets({ ...own, properties }, declared);
  assertEquals(later.secrets, ["apiKey", "access_code"], "what was secret stays so");
  const pa = { name: "e-invoicing", type: "system" as const };
  const known = withSecrets({ ...pa, properties: { clientSecret: "x", token: "y", URL: "z" } });
  assertEquals([known.secrets, collectSecrets(known)], [[], ["x", "y"]]);

  const wrong = { ...own, properties, secrets: ["acces_code", "URL", "nowhere", "region"] };
  assertEquals(problemsOfSecrets(wrong).map(String), [
    "secrets: there is no property acces_code; did you mean access_code?",
    "secrets: URL is no secret",
    "secrets: there is no property nowhere",
  ]);
});

Deno.test("the first templates hold values that fit", () => {
  for (const template of firstTemplates({ sandbox: true })) {
    assertEquals(problemsOfProperties(template), []);
  }
});

Deno.test("a value of another type than the property's is reported with the expected type", () => {
  const global = (properties: Record<string, string>) =>
    problemsOfProperties({ name: "global", type: "system", properties }).map(String);
  assertEquals(global({ sftpPort: "22", smtpSecure: " TLS ", own: "kept" }), []);
  assertEquals(global({ sftpPort: "99999", smtpSecure: "maybe" }), [
    'smtpSecure is "maybe"; expected starttls, tls or none',
    'sftpPort is "99999"; expected a whole number from 1 to 65535',
  ]);
});

Deno.test("a property is read as its type, with its default", () => {
  const properties = {
    submit: " no ",
    rules: "en16931, br-fr@1",
    inputDir: " ",
    smtpSecure: "TLS",
    smtpPort: "2525",
    smtpPassword: " spaces count ",
  };
  const template = { name: "x", properties };
  assertEquals(documentProperty(template, "submit"), "no");
  assertEquals(documentProperty(template, "rules"), ["en16931", "br-fr@1"]);
  assertEquals(documentProperty(template, "inputDir"), "input");
  assertEquals(documentProperty(undefined, "rules"), []);
  assertEquals(documentProperty(template, "siren"), undefined);
  assertEquals(globalProperty(template, "smtpSecure"), "tls");
  assertEquals(globalProperty(template, "smtpPort"), 2525);
  assertEquals(globalProperty(template, "smtpPassword"), " spaces count ");
  assertEquals(paProperty(template, "timeoutSeconds"), 30);
});

Deno.test("an invalid stored value is reported, not guessed: a mistyped submit sends nothing", () => {
  const template = { name: "R1", properties: { submit: "Non" } };
  assertThrows(
    () => documentProperty(template, "submit"),
    AppError,
    'submit of the template R1 is "Non"; expected Y, N, yes or no',
  );
});
