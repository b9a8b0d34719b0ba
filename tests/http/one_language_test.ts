import { assert, assertEquals } from "@std/assert";
import { eq, sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { submissions, tasks } from "#drizzle/schema/mod.ts";
import { submissionDied } from "#src/gateway/submission/mod.ts";
import { FRENCH } from "#src/kernel/i18n/french.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { incoming, issue, poll, type Stage, stage } from "#tests/gateway/submission/support.ts";
import { must } from "#tests/support/access.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";
import { controlSandbox } from "#tests/support/sandbox.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

/** Reason to send an invoice again although the PA has it. */
const FORCED = { force: true, reason: "The PA lost it" };

/** Fields that contain sentences for people; words of the PA or of a person stay in their language. */
const TOLD = new Set(["detail", "error", "how", "lastError", "message", "reason"]);

longTest(
  "the results of a burst full of faults are shown to each reader in one language",
  async (t) => {
    await using world = await stage({ AUTH: "off" });
    await breakEverything(world);
    await world.product.drain(); // the same state is read in both languages
    const { product } = world;
    const { body: { submissions: sendings } } = await product.get("/api/submissions");
    const { body: { runs } } = await product.get("/api/runs");
    const { body: { invoices } } = await product.get("/api/invoices");
    const keys = invoices.map((it: Record<string, string>) => `${it.fedoc}-${it.fedct}-${it.kco}`);
    const paths = [
      "/api/invoices",
      "/api/runs",
      "/api/submissions",
      "/api/notifications/deliveries",
      "/api/pa/quarantine",
      "/api/pa/health",
      "/api/tasks",
      "/api/integration-errors",
      ...sendings.map((it: { id: string }) => `/api/submissions/${it.id}`),
      ...runs.map((it: { runId: string }) => `/api/runs/${it.runId}`),
      ...keys.map((it: string) => `/api/invoices/${it}/lifecycle`),
      ...keys.map((it: string) => `/api/invoices/${it}/errors`),
      ...keys.map((it: string) => `/api/invoices/${it}/status-messages`),
    ];
    const read = async (language: "en" | "fr") => {
      const told: string[] = [];
      for (const path of paths) {
        const { status, body } = await product.get(path, { "x-service-lang": language });
        assertEquals(status, 200, path);
        told.push(...sentencesIn(body));
      }
      return told;
    };
    const english = await read("en");
    const french = await read("fr");
    await t.step("each says as much as the other", () => {
      assert(english.length > 30, `only ${english.length} sentences`);
      assertEquals(french.length, english.length);
      assert(french.some((it, at) => it !== english[at]));
    });
    await t.step("nothing English appears in French, nothing French in English", () => {
      assertEquals(french.flatMap((it) => partsIn(it, "en")), []);
      assertEquals(english.flatMap((it) => partsIn(it, "fr")), []);
    });
    await t.step("every kind of record is among them", () => {
      for (const [kind, sentence] of EXPECTED) {
        assert(french.some((it) => it.includes(sentence)), `${kind}: ${sentence}`);
      }
    });
  },
);

const EXPECTED = [
  ["a history", "Renvoyée malgré tout"],
  ["a sending", "Personne ne traite la tâche"],
  ["a flow set aside", "a remis une page"],
  ["a delivery", "est injoignable"],
  ["a task", "le processus s'est terminé"],
  ["a run", "Sur 1 facture"],
] as const;

/**
 * Creates a refused and a failed submission, an unknown flow, a rule without calls, a dead task, and an invalid run.
 */
async function breakEverything(world: Stage): Promise<void> {
  const { product } = world;
  const { db } = product.deps;
  const sandbox = controlSandbox(product.sandbox.url);
  const save = (name: string, type: string, properties: Record<string, string>) =>
    must(product.post("/api/templates", { name, type, properties }), 200);
  const endpoint = JSON.stringify({ url: "/x", mappings: { id: "id" } });
  await save("nowhere", "connector", {
    kind: "api",
    URL: "https://nowhere.invalid/",
    "endpoint.x": endpoint,
  });
  const actions = JSON.stringify([{ connector: "nowhere", target: "x" }]);
  await save("calls", "notification-rule", { enabled: "Y", actions });
  const [first = "", second = ""] = await issue(world, 2, 700_000);
  await incoming(world, await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8"));
  await sandbox.fault({ kind: "garbage", operation: "get", times: 0 });
  await poll(world);
  await sandbox.heal();
  await until(async () => (await product.get(`/api/submissions?state=accepted`)).body.total >= 2);
  await product.post(`/api/invoices/${first}/resend`, FORCED);
  await until(async () => (await product.get(`/api/submissions?state=accepted`)).body.total >= 2);
  await sandbox.fault({ kind: "status", status: 400, operation: "submit", times: 1 });
  await product.post(`/api/invoices/${second}/resend`, FORCED);
  await until(async () => (await product.get(`/api/submissions?state=rejected`)).body.total >= 1);
  const [sending] = await db.select().from(submissions).where(eq(submissions.state, "accepted"));
  await db.update(submissions).set({ state: "ambiguous" })
    .where(eq(submissions.id, sending?.id ?? ""));
  await submissionDied(product.deps, sending?.id ?? "", say`No consumer for task ${"x"}`);
  await db.insert(tasks).values({
    queue: "jobs",
    name: "lost",
    payload: {},
    maxAttempts: 1,
    state: "running",
    suspect: true,
    alone: true,
    deaths: 1,
    leaseUntil: sql`now() - interval '1 hour'`,
  });
  await until(async () => (await product.get("/api/tasks")).body.total >= 1);
  const once = await erpBurst(1, 710_000);
  for (const text of [once, once.replace(/(<NameAlpha_ID18>)[^<]+/, "$1Other")]) {
    const file = await product.write("twice.xml", text);
    await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  }
  await product.post("/api/run", {
    template: "R42565",
    file: await product.write("no.xml", "<a"),
    mode: "SINGLE",
  });
}

function sentencesIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return TOLD.has(name) && /\p{L}/u.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((it) => sentencesIn(it, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) => sentencesIn(it, key));
}

/** Fixed parts of each sentence that differ between the languages. */
const PARTS = Object.entries(FRENCH).flatMap(([en, fr]) => {
  const [english, french] = [longest(en), longest(fr)];
  const telling = english.length > 9 && french.length > 9 && !fr.includes(english) &&
    !en.includes(french);
  return telling ? [{ en: english, fr: french }] : [];
});

function longest(text: string): string {
  const parts = text.split(/\{\d+\}/).map((it) => it.trim());
  return parts.reduce((best, it) => it.length > best.length ? it : best, "");
}

function partsIn(told: string, language: "en" | "fr"): string[] {
  const found = PARTS.filter((it) => told.includes(it[language])).map((it) => it[language]);
  return found.map((it) => `"${it}" in "${told}"`);
}
