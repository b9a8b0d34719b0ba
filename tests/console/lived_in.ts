import { assert } from "@std/assert";
import type { LanguageModel } from "#tests/support/language_model.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { release, schema } from "../gateway/validation/support.ts";
import { ADDRESSES } from "./addresses.ts";
import { fillConsole, fillReceived, handOver, RECEIVED, receivedId } from "./filled.ts";

const DAY_MS = 86_400_000;

/** The invoice that the PA rejects. */
const REFUSED = "100003-RI-00001";

const JOBS = `version: 1
jobs:
  tidy:
    label: { en: Tidy up, fr: Faire le ménage }
    description: { en: Removes what nobody needs, fr: Enlève ce dont personne n'a besoin }
    schedule: [{ cron: "30 2 * * 1-5", timezone: Europe/Paris }]
    params:
      days: { type: integer, default: 30, label: { en: Days, fr: Jours } }
      dry: { type: boolean, default: false, label: { en: Dry run, fr: À blanc } }
    steps:
      - { id: keep, set: { kept: "{params.days}" } }
      - { id: end, set: { ended: "yes" } }
  broken:
    label: { en: Never right, fr: Jamais juste }
    steps: [{ id: divide, set: { x: "{1 / 0}" } }]
  patient:
    label: { en: Patient, fr: Patient }
    steps: [{ id: rest, sleep: 1h }]
`;

const ANSWER = `## Deux factures demandent une correction

- **RI-100002** : le total TTC n'est pas la somme.
- **RI-100003** : la PA n'a pas répondu.

| Facture | Montant |
|---|---:|
| RI-100002 | 99,99 € |
`;

/**
 * Fills an installation so that no page is empty. It has issued and received invoices, rejected and
 * quarantined messages, a webhook, notification rules with messages, jobs with runs, users, roles, rule set
 * versions, an override and a conversation. The product needs `POLL_SECONDS=1`, the model's environment and
 * no authentication. Resolves to the addresses of all pages, including single records.
 */
export async function liveIn(
  product: Pick<ProductProcess, "url" | "says">,
  { dataDir, model, markup }: { dataDir: string; model: LanguageModel; markup?: string },
): Promise<readonly string[]> {
  const { url } = product;
  const sandbox = await readSandbox(product);
  const read = async (path: string) => await (await fetch(url + path)).json();
  const total = (path: string, least: number) =>
    until(async () => (await read(path)).total >= least, `${least} of ${path}`);
  const send = async (path: string, body: unknown, type = "application/json") => {
    const text = typeof body === "string" || body instanceof Uint8Array;
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": type },
      body: (text ? body : JSON.stringify(body)) as BodyInit,
    });
    const said = await answer.text();
    assert(answer.ok, `${path}: ${answer.status} ${said}`);
    return said.startsWith("{") ? JSON.parse(said) : {};
  };

  for (const properties of RULES) {
    const { name, ...rest } = properties;
    await send("/api/config/template", { name, type: "notification-rule", properties: rest });
  }
  await sandbox.fault({
    kind: "500-before",
    operation: "submit",
    match: { invoiceNumber: "RI-100003" },
    times: 0,
  });
  await fillConsole(url, dataDir, {}, markup);
  await fillReceived(product, {}, markup);
  await total("/api/invoices?status=10", 10);
  await sandbox.fault({
    kind: "status",
    operation: "submit",
    status: 400,
    body: JSON.stringify({ errorMessage: "La facture est close" }),
    times: 1,
  });
  await send(`/api/invoices/${receivedId(RECEIVED[0])}/status`, { target: "pa", name: "APPROVED" });
  await total("/api/status-messages", 1);
  await sandbox.fault({ kind: "garbage", operation: "get", times: 0 });
  await handOver(product, "SUP-9");
  await total("/api/pa/quarantine", 1);
  await total("/api/inbox", 1);
  await total("/api/notifications/deliveries?channel=email", 1);

  await send("/api/pa/webhooks", { callbackUrl: `${url}/api/pa/webhook` });
  await send("/admin/config/jobs/raw", JOBS, "text/yaml");
  const runs: string[] = [];
  for (const job of ["tidy", "broken", "patient"]) {
    const { run_id } = await send(`/admin/jobs/${job}/run`, { params: {} });
    runs.push(run_id);
  }
  await total("/admin/jobs/runs?status=succeeded", 1);
  await total("/admin/jobs/runs?status=failed", 1);

  const permissions = ["invoices:read", "invoices:run"];
  await send("/admin/roles", { name: "comptable", permissions });
  await send("/admin/roles", {
    name: "chef-comptable",
    permissions: ["invoices:resend", "rules:write"],
    inherits_from: ["comptable"],
  });
  for (const [username, role] of [["marie", "comptable"], ["luc", "chef-comptable"]]) {
    await send("/admin/users", { username, password: "une longue phrase", roles: [role] });
  }

  for (const version of ["1.0", "2.0"]) {
    const test = version === "1.0" ? "true()" : "false()";
    const zip = release({ version }, { "house.sch": schema([{ id: "H-1", test }]) });
    await send(`/api/rules/install?active=${version === "1.0"}`, zip, "application/zip");
  }
  await send("/api/rules/house/overrides", {
    rule: "H-1",
    level: "WARNING",
    reason: "Le fournisseur corrige en janvier",
    expires: new Date(Date.now() + 30 * DAY_MS).toISOString(),
  });

  model.answer({ text: ANSWER });
  await send("/ai/chat", { message: "Quelles factures demandent une correction ?" });
  const { items: [{ id: conversation }] } = await read("/ai/conversations");
  const { runs: [run] } = await read("/api/runs");
  return [
    ...ADDRESSES,
    `/invoices/${REFUSED}?tab=sendings`,
    `/process/${run.runId}`,
    "/notifications/rules/of/rejets",
    "/jobs/of/tidy",
    ...runs.map((it) => `/jobs/runs/${it}`),
    "/people/users/marie",
    "/people/roles/chef-comptable",
    "/settings/rules/of/house",
    `/assistant/${conversation}`,
  ];
}

const RULES = [
  {
    name: "rejets",
    description: "Ce que les règles ont rejeté",
    enabled: "Y",
    "trigger.status": "9907",
    "channel.email": "Y",
    "email.list": "compta@exemple.fr",
    language: "fr",
    subject: "Facture {ublNumber} rejetée",
    body: "La facture {ublNumber} de {customerName} n'est pas partie.",
    "portal.message": "La facture {ublNumber} de {customerName} n'est pas partie.",
  },
  { name: "depots", enabled: "N", "trigger.status": "10", language: "fr" },
];
