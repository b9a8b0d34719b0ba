import { assertEquals } from "@std/assert";
import { listChanges, nameEvent, showTarget } from "#src/console/pages/people/audit_events.ts";
import { getInvoice } from "#src/console/pages/people/log_invoice.ts";

const rule = { type: "notification-rule", name: "rejets" };

Deno.test("an audit entry is named by what it is about", () => {
  const of = (event: string, after: unknown) =>
    nameEvent({ event, target: "x", before: null, after }, "fr");
  assertEquals(of("template.changed", rule), "Règle de notification modifiée");
  assertEquals(of("template.changed", { type: "system" }), "Connexion modifiée");
  assertEquals(of("connection.tested", { works: false }), "Connexion testée : échec");
  assertEquals(of("auth.signed_in", null), "Ouverture de session");
  assertEquals(of("nothing.known", null), "nothing.known");
});

Deno.test("the object of an audit entry is a name with its page, never an address of the API", () => {
  const show = (event: string, target: string | null, after: unknown = null) =>
    showTarget({ event, target, before: null, after });
  assertEquals(show("template.created", "rejets", rule), {
    text: "rejets",
    href: "/notifications/rules/of/rejets",
  });
  assertEquals(show("configuration.changed", "i18n/fr"), {
    text: "i18n/fr",
    href: "/settings/sections/i18n.fr/revisions",
    kind: "section",
  });
  assertEquals(show("connection.tested", "mail"), {
    text: "mail",
    href: "/connections/mail",
    kind: "connection",
  });
  const href = "/connections/pool?name=erp";
  const pool = { text: "pool erp", href, kind: "connection" };
  assertEquals(show("connection.tested", "pool erp"), pool);
  assertEquals(show("pool.opened", "erp"), { text: "erp", href });
  const external = (properties: object) => {
    const [before, after] = [{}, properties].map((it) => ({ type: "system", properties: it }));
    return showTarget({ event: "template.changed", target: "global", before, after });
  };
  assertEquals(external({ smtpHost: "m", smtpPort: "25" }), show("connection.tested", "mail"));
  assertEquals(external({ sftpHost: "m" }).href, "/connections/sftp");
  assertEquals(external({ smtpHost: "m", bipPool: "erp" }).kind, "system");
  assertEquals(show("delivery.replayed", "rejets", { delivery: "1", address: "*" }), {
    text: "rejets",
    href: "/notifications/rules/of/rejets",
  });
  const mailed = show("delivery.replayed", "a@x.fr", { delivery: "1", address: "a@x.fr" });
  assertEquals(mailed, { text: "a@x.fr" });
  const platform = show("template.changed", "e-invoicing", { type: "system" });
  assertEquals(platform.href, "/connections/pa");
  assertEquals(show("user.changed", "eve").href, "/people/users/eve");
  assertEquals(show("stylesheets.installed", "/api/xsl/install").text, "");
  assertEquals(show("access.denied", "GET /admin/users").text, "");
  assertEquals(show("run.started", "/srv/data/burst.xml").text, "burst.xml");
  const id = "39f07d43-13d1-4953-bd52-5b36685dfdef";
  assertEquals(
    show("webhook.registered", id, { callbackUrl: "https://x.fr/a" }).text,
    "https://x.fr/a",
  );
  const removed = { event: "webhook.deleted", target: id, after: null };
  const before = { callbackUrl: "https://x.fr/a" };
  assertEquals(showTarget({ ...removed, before }).text, "https://x.fr/a");
  assertEquals(show("setup.installed", null).text, "");
});

Deno.test("changes of an audit entry are the values that differ", () => {
  const before = { type: "document", properties: { submit: "Y", iban: "A" }, roles: ["a", "b"] };
  const after = { type: "document", properties: { submit: "N" }, roles: ["a"] };
  assertEquals(listChanges({ event: "e", target: null, before, after }), [
    { name: "properties.submit", before: "Y", after: "N" },
    { name: "properties.iban", before: "A", after: "" },
    { name: "roles", before: "a, b", after: "a" },
  ]);
  const template = { event: "template.changed", target: "T", before: { version: 5 }, after: {} };
  assertEquals(listChanges(template), []);
});

Deno.test("an entry of the log names its invoice as one field or as three", () => {
  assertEquals(getInvoice({ invoice: "100003-RI-00001", attempt: 1 }), "100003-RI-00001");
  assertEquals(getInvoice({ doc: "A-1", dct: "RI", kco: "00001" }), "A-1-RI-00001");
  for (const fields of [null, {}, { doc: "1" }, { invoice: 7 }, { invoice: "no key" }]) {
    assertEquals(getInvoice(fields), undefined, JSON.stringify(fields));
  }
});
