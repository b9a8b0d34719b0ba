import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { sftpProperties, sftpServer } from "#tests/support/sftp_server.ts";
import { until } from "#tests/support/until.ts";
import { startJobs } from "./support.ts";

const JOBS = `version: 1
jobs:
  day:
    label: { en: The day, fr: La journée }
    steps:
      - { id: fetch, download: { template: R42565 } }
      - { id: work, process: { template: R42565 } }
      - { id: read, import: {} }
      - { id: statuses, retrieve_statuses: {} }
      - { id: again, reload: all }
      - id: tell
        notify: { to: [ops@example.fr], subject: "{n} files", text: "Fetched {file}, {n} of them.", data: { n: "{steps.fetch.row_count}", file: "{steps.fetch.files[0]}" } }
  resends:
    label: Sent again
    steps:
      - { id: none, resend: { company: nobody } }
      - { id: failed, resend: {} }
  to_nobody:
    label: To nobody
    steps: [{ id: tell, notify: { to: [nobody], text: Hello } }]
`;

Deno.test("the product's own functions run as steps: fetch, process, poll the PA, reload, notify, send again", async () => {
  await using server = await sftpServer();
  await using smtp = await startSmtp();
  await using it = await startJobs(JOBS);
  const single = await readFile(join(GOLDEN, "erp", "R42565-single.xml"));
  server.files.set("R42565_XJDE0001_FR_1.xml", { content: new Uint8Array(single), modified: 1 });
  const put = async (name: string, type: string, properties: Record<string, string>) => {
    const { status, body } = await it.send("PUT", `/api/templates/${name}`, {
      name,
      type,
      properties,
    });
    assertEquals(status, 200, JSON.stringify(body));
  };
  await put("global", "system", { ...sftpProperties(server), ...smtp.properties });
  await put("R42565", "document", {
    transform: "%APP_HOME%/R42565.xsl",
    inputDir: "input",
    submit: "N",
  });
  // Recent files are skipped until they are certainly complete; this one is old.
  const file = await it.write(
    "input/a.xml",
    single.toString("utf8").replaceAll("100000", "100777"),
  );
  await utimes(file, new Date(0), new Date(0));

  const run = await it.ended(await it.run("day"));
  assertEquals([run.status, run.error], ["succeeded", null]);
  const [fetch, work, read, statuses, again, tell] = run.steps;
  assertEquals([fetch.row_count, fetch.output_preview.files.length], [1, 1]);
  assert(work.row_count >= 1 && work.output_preview.rows.length === work.row_count);
  for (const step of [read, statuses]) assert(step.output_preview.lines >= 0, step.id);
  assertEquals(again.row_count, again.output_preview.reloaded.length);
  assertEquals(tell.output_preview.recipients, 1);
  await until(() => smtp.received.length === 1, "the message");
  const [message] = smtp.received;
  assertEquals(message?.to, ["ops@example.fr"]);
  const text = message?.text.replaceAll(/=\r?\n/g, "") ?? ""; // long lines are wrapped (quoted-printable)
  assertStringIncludes(text, "1 files");
  assertStringIncludes(text, "R42565_XJDE0001_FR_1.xml");
  await until(async () => (await it.get("/api/invoices")).body.total >= 1, "the invoice");

  const nobody = await it.ended(await it.run("to_nobody"));
  assertEquals([nobody.error.code, nobody.error.step], ["refused", "tell"]);
  const none = await it.ended(await it.run("resends"));
  assertEquals(none.steps.map((step: { output_preview: unknown }) => step.output_preview), [
    { sent: 0, refused: 0 },
    { sent: 0, refused: 0 },
  ]);
});

Deno.test("a step sends again rejected submissions up to its limit, each once", async () => {
  await using it = await startJobs(JOBS.replace(
    "- { id: failed, resend: {} }",
    "- { id: failed, resend: { limit: 2 } }\n      - { id: rest, resend: {} }",
  ));
  const fault = await fetch(`${it.sandbox.url}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ kind: "status", status: 400, body: "{}", times: 3 }),
  });
  await fault.body?.cancel();
  const file = await it.write("burst.xml", await erpBurst(4, 640_000));
  await it.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const fail = async () => (await it.get("/api/invoices?status=9904")).body.total;
  await until(async () => await fail() === 3, "three that were not taken");
  const run = await it.ended(await it.run("resends"));
  assertEquals(run.steps.map((step: { output_preview: unknown }) => step.output_preview), [
    { sent: 0, refused: 0 },
    { sent: 2, refused: 0 },
    { sent: 1, refused: 0 },
  ]);
  const send = async () => (await it.get("/api/invoices?status=9906")).body.total;
  await until(async () => await send() === 4, "the PA to have them all");
  const { entries } = (await it.get("/admin/audit?pageSize=100")).body;
  const resent = entries.filter((it: { event: string }) => it.event === "invoice.resent");
  assertEquals(resent.map((it: { after: { job_run: string } }) => it.after.job_run), [
    run.run_id,
    run.run_id,
    run.run_id,
  ]);
});
