import { assert, assertEquals } from "@std/assert";
import { notificationDeliveries, templates } from "#drizzle/schema/mod.ts";
import { REASONS } from "#src/domain/invoice/reason_catalogue.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { storedCode } from "#src/domain/invoice/status.ts";
import { lockInvoice, recordStatus, setStatusByHand } from "#src/gateway/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ID, startNotifier, type TestNotifier } from "./support.ts";
import { longTest } from "#tests/support/long.ts";

const KEY = { doc: "100000", dct: "RI", kco: "00001" };
const RECEIVED = "200000-PV-00001";

longTest(
  "a rule replayed over a period matches as it did live: every status and every reason",
  async (t) => {
    await using it = await startNotifier();
    const from = new Date(Date.now() - 60_000).toISOString();
    const statuses = [...new Set(STATUSES.map(({ code }) => storedCode(code)))];
    const reasons = REASONS.map(({ code }) => code);
    const triggers: Record<string, Record<string, string>> = {
      ...Object.fromEntries(statuses.map((it) => [`status ${it}`, { "trigger.status": it }])),
      ...Object.fromEntries(reasons.map((it) => [`reason ${it}`, { "trigger.reason": it }])),
      "disputes by price": { "trigger.status": "207", "trigger.reason": "PU_ERR" },
      "of received ones": { direction: "Received only" },
      "all": {},
    };
    const rules = Object.entries(triggers).map(([name, properties]) => ({
      name,
      type: "notification-rule" as const,
      properties: { enabled: "Y", ...properties },
    }));
    await it.deps.db.insert(templates).values(rules);
    await it.invoice();
    await it.invoice(RECEIVED, { direction: "received" });
    const set = await setAll(it, { statuses, reasons });
    await tellFromThePa(it);
    await it.quiet();
    await t.step("nearly all of them can be set", () => {
      assert(set > statuses.length + reasons.length, `${set} were set`);
    });
    const live = await it.deps.db.select().from(notificationDeliveries);
    const to = new Date(Date.now() + 60_000).toISOString();
    for (const rule of Object.keys(triggers)) {
      await t.step(rule, async () => {
        const told = live.filter((one) => one.rule === rule).map(({ notice }) => notice);
        const { body } = await it.call("POST", "/api/notifications/replay", { rule, from, to });
        assertEquals(body.matched, told.length);
        if (rule.startsWith("reason ")) assert(told.length > 0, "nothing was told at all");
        if (body.truncated) return;
        const spell = (status: string, reason: string) => `${status} ${reason}`;
        const replayed = body.dispatches as { status: string; reason: string }[];
        assertEquals(
          replayed.map(({ status, reason }) => spell(status, reason)).sort(),
          told.map(({ status, reason }) => spell(status, reason)).sort(),
        );
      });
    }
    await t.step("the history stores a user's reason by its code", async () => {
      const { body } = await it.call("GET", `/api/invoices/${ID}/lifecycle`);
      const events = body.events as { statusCode: string; reasonCode: string | null }[];
      assert(events.some((one) => one.statusCode === "207" && one.reasonCode === "PU_ERR"));
    });
  },
);

/** Sets each status with a price reason and each of the others in turn, then each reason; resolves to their number. */
async function setAll(
  { deps }: TestNotifier,
  { statuses, reasons }: { statuses: readonly string[]; reasons: readonly string[] },
): Promise<number> {
  const pairs = [
    ...statuses.flatMap((code, at) => [[code, "PU_ERR"], [code, reasons[at] ?? ""]] as const),
    ...reasons.map((reason) => ["207", reason] as const),
  ];
  let set = 0;
  for (const [code, reason] of pairs) {
    const done = await setStatusByHand(deps, { key: KEY, code, reason, user: "ann" })
      .then(() => true, (error) => {
        if (error instanceof AppError) return false;
        throw error;
      });
    if (done) set++;
  }
  return set;
}

/** Sends statuses in and out of order: late ones are recorded and change nothing. */
async function tellFromThePa({ deps }: TestNotifier): Promise<void> {
  const key = { doc: "200000", dct: "PV", kco: "00001" };
  const codes = ["202", "204", "203", "207", "207", "205", "204", "212", "207"];
  for (const [index, code] of codes.entries()) {
    await deps.db.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, key);
      if (!invoice) throw new Error("The invoice is gone");
      const at = new Date(Date.now() + index * 1000);
      const event = { code, at, source: "pa", reasonCode: "PU_ERR", paEventId: `e${index}` };
      await recordStatus(deps, tx, { invoice, event });
    });
  }
}
