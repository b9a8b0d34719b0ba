import { assertEquals } from "@std/assert";
import { listReadyRoles } from "#src/console/pages/people/ready_roles.ts";
import { listCells, listRights, pressCell } from "#src/console/pages/people/role_areas.ts";
import { suggestUsername } from "#src/console/pages/people/username.ts";
import { ROLE_TEMPLATES } from "#src/domain/permission/given_roles.ts";

const TEMPLATES = ROLE_TEMPLATES.map(({ name, permissions, ...it }) => ({
  name,
  display_name: it.displayName.fr,
  description: it.description.fr,
  permissions: [...permissions],
}));

Deno.test("ready-made roles are offered until the installation has them, complete for the console", () => {
  const names = (roles: { name: string }[]) =>
    listReadyRoles(roles, TEMPLATES).map((it) => it.display_name);
  assertEquals(names([{ name: "admin" }]), [
    "Lecteur de factures",
    "Gestionnaire de factures",
    "Responsable de facturation",
    "Auditeur",
  ]);
  assertEquals(names([{ name: "invoicing-reader" }, { name: "auditor" }]).length, 2);
  const ready = listReadyRoles([], TEMPLATES);
  const [reader] = ready;
  assertEquals(reader?.permissions.includes("invoices:read"), true, "Home shows its figures");
  assertEquals(reader?.permissions.includes("invoices:status"), false);
  const auditor = ready.at(-1)?.permissions ?? [];
  assertEquals(auditor.includes("audit:read"), true, "with the audit screens");
  assertEquals(auditor.includes("live:read"), true, "changes of others appear");
  const { rights, others } = listRights(auditor.map((permission) => ({ permission, roles: [] })));
  assertEquals(rights.filter(({ cell }) => cell?.level !== "read"), [], "changes nothing");
  assertEquals(others.map((it) => it.permission), ["settings:technical", "live:read"]);
});

Deno.test("grants become rights of the matrix, and all rights one", () => {
  const all = listRights([{ permission: "*", roles: ["admin"] }]);
  assertEquals(all.rights.map((it) => [it.cell, it.roles]), [[undefined, ["admin"]]]);
  const { rights, others } = listRights([
    { permission: "audit:read", roles: ["watcher"] },
    { permission: "invoices:resend", roles: ["house"] },
  ]);
  assertEquals(rights.map((it) => [it.cell?.area, it.share, it.roles]), [
    ["audit", "some", ["watcher"]],
  ]);
  assertEquals(others.map((it) => it.permission), ["invoices:resend"]);
});

Deno.test("live changes alone are no right to see invoices; the cell grants them with it", () => {
  const shares = (...codes: string[]) =>
    listRights(codes.map((permission) => ({ permission, roles: [] }))).rights
      .map((it) => [it.cell?.area, it.share]);
  assertEquals(shares("live:read"), []);
  assertEquals(shares("live:read", "invoices:read"), [["invoices", "all"]]);
  assertEquals(shares("invoices:status"), [["invoices", "some"]]);
  const pressed = (own: string[], isOn: boolean) =>
    listCells("invoices").slice(0, 1).map((cell) => pressCell(cell, { own, isOn }));
  assertEquals(pressed([], true), [["invoices:read", "live:read"]]);
  assertEquals(pressed(["invoices:read", "live:read"], false), [[]]);
});

Deno.test("a username is suggested from an e-mail address", () => {
  assertEquals(suggestUsername("Éloïse.Martin+test@exemple.fr"), "eloise.martin");
  assertEquals(suggestUsername(""), "");
});
