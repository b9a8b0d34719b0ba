import type { Deps } from "#src/deps.ts";
import {
  READS_INVOICES,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { findInvoice } from "#src/features/invoices/mod.ts";
import { showTemplate } from "#src/features/templates/mod.ts";
import { countCall } from "#src/http/call_rate.ts";
import { translated } from "#src/http/errors.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { pageOf } from "#src/http/list.ts";
import { body, Done, done, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { replayDelivery } from "./replay_delivery.ts";
import { replayRule } from "./replay_rule.ts";
import {
  DeliveryList,
  DeliveryQuery,
  IdPath,
  Inbox,
  InboxQuery,
  ReplayAnswer,
  ReplayBody,
  TestAnswer,
  TestBody,
} from "./schemas.ts";
import type { DrawChart } from "./chart_of_mail.ts";
import { testRule } from "./test_rule.ts";
import { addressesOf, inboxOf, listDeliveries, markRead, type Reader } from "./views.ts";

const FIRE = { "x-permission": "notifications:test" as const, tags: ["Notifications"] };
const OWN = { "x-permission": "authenticated" as const, tags: ["Inbox"] };

/** A test reaches people and peers at once, past every rule's own brakes. */
const TESTS = {
  what: "Tests of notification rules",
  name: say`Tests of notification rules`,
  perMinute: 10,
};

const test = route({
  ...FIRE,
  method: "post",
  operationId: "testNotificationRule",
  "x-audit": "notification_rule.tested",
  path: "/api/notifications/test",
  summary: "Fire a rule at once, for real, without saving it",
  description: "Each user may do so 10 times at once, then once every 6 seconds. Asks for " +
    "`invoices:read` besides, for `email:send` when the rule sends e-mails, and for what its calls ask.",
  request: { body: body(TestBody, { limit: 2 * MB }) },
  responses: {
    200: json(TestAnswer, "What was done, and the first error"),
    ...failing(404, 429),
  },
});
const replay = route({
  ...FIRE,
  method: "post",
  operationId: "replayNotificationRule",
  path: "/api/notifications/replay",
  "x-audit": false,
  summary: "What a rule would have done over a past period; does nothing",
  description: "Asks for `invoices:read` besides.",
  request: { body: body(ReplayBody) },
  responses: {
    200: json(ReplayAnswer, "The status changes that match, oldest first"),
    ...failing(404),
  },
});
const deliveries = route({
  ...FIRE,
  method: "get",
  operationId: "listDeliveries",
  path: "/api/notifications/deliveries",
  summary: "Deliveries of every channel, newest first",
  request: { query: DeliveryQuery },
  responses: { 200: json(DeliveryList, "The page and the total of all pages") },
});
const again = route({
  ...FIRE,
  method: "post",
  operationId: "replayDelivery",
  "x-audit": "delivery.replayed",
  path: "/api/notifications/deliveries/{id}/replay",
  summary: "Make a dead delivery due again",
  request: { params: IdPath },
  responses: { 200: json(Done, "Due") },
});
const inbox = route({
  ...OWN,
  method: "get",
  operationId: "listInbox",
  path: "/api/inbox",
  summary: "The caller's portal messages, those of his roles and those for everybody, newest first",
  request: { query: InboxQuery },
  responses: {
    200: json(Inbox, "The page, the total of all pages, and how many are unread"),
  },
});
const read = route({
  ...OWN,
  method: "post",
  operationId: "markMessageRead",
  path: "/api/inbox/{id}/read",
  "x-audit": false,
  summary: "Mark a message as read by the caller",
  request: { params: IdPath },
  responses: { 200: json(Done, "Read, now or before") },
});

export function notificationRoutes(deps: Deps & { readonly drawChart: DrawChart }) {
  return newRouter("invoicing")
    .openapi(test, async (c) => {
      await checkPermission(c, READS_INVOICES.code);
      await countCall(deps, { ...TESTS, username: c.var.actor.username });
      const { rule: { name, properties }, ...given } = c.req.valid("json");
      const notice = await noticeOf(deps, given);
      const template = { name, properties };
      const report = await testRule(deps, { template, notice, caller: c.var.actor });
      const { error, ...counts } = report;
      return c.json({ ...counts, ...error && { error: translated(error, c) } }, 200);
    })
    .openapi(replay, async (c) => {
      const { rule, from, to } = c.req.valid("json");
      await checkPermission(c, READS_INVOICES.code);
      if (from >= to) throw new AppError("invalid", say`from must be before to`);
      const report = await replayRule(deps, { template: await templateOf(deps, rule), from, to });
      return c.json({ success: true as const, ...report }, 200);
    })
    .openapi(deliveries, async (c) => {
      const { page, rest: filter } = pageOf(c.req.valid("query"));
      return c.json(await listDeliveries(deps.db, filter, { page, language: c.var.language }), 200);
    })
    .openapi(again, async (c) => {
      const { username: by } = c.var.actor;
      c.set("before", await replayDelivery(deps, { id: c.req.valid("param").id, by }));
      return c.json(done, 200);
    })
    .openapi(inbox, async (c) => {
      const { page, rest: { unread } } = pageOf(c.req.valid("query"));
      const view = {
        reader: readerOf(deps, c.var.actor),
        unread: unread === "true",
        language: c.var.language,
      };
      return c.json(await inboxOf(deps.db, view, page), 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      if (!await markRead(deps.db, id, readerOf(deps, c.var.actor))) throw notFound("Message", id);
      return c.json(done, 200);
    });
}

function readerOf({ accounts }: Pick<Deps, "accounts">, actor: Actor): Reader {
  return { username: actor.username, addresses: accounts.enabled ? addressesOf(actor) : "all" };
}

async function templateOf(
  deps: Pick<Deps, "db">,
  rule: string | RuleTemplate,
): Promise<RuleTemplate> {
  if (typeof rule !== "string") return rule;
  const template = await showTemplate(deps, rule);
  if (template.type !== "notification-rule") throw notFound("Notification rule", rule);
  return template;
}

interface Given extends Pick<StatusNotice, "doc" | "dct" | "kco"> {
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly action?: string | undefined;
  readonly message?: string | undefined;
}

async function noticeOf(
  { db }: Pick<Deps, "db">,
  { status, reason, action, message, ...key }: Given,
): Promise<StatusNotice> {
  const invoice = await findInvoice(db, key);
  return {
    ...key,
    status: status || invoice?.status || "",
    reason: reason ?? invoice?.reasonCode ?? "",
    action: action ?? "",
    message: message ?? "",
  };
}
