import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import {
  READS_INVOICES,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { findInvoice } from "#src/gateway/invoices/mod.ts";
import { createCompileSheets, showTemplate } from "#src/platform/templates/mod.ts";
import { countCall } from "#src/http/call_rate.ts";
import { translateFor } from "#src/http/errors.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { splitPage } from "#src/http/list.ts";
import { body, Done, done, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { dismissDelivery, replayDelivery } from "./replay_delivery.ts";
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
  UsualRules,
} from "./schemas.ts";
import type { DrawChart } from "./channels/channel.ts";
import { testRule } from "./test_rule.ts";
import { createUsualRules } from "./usual_rules.ts";
import { findReader, listDeliveries, markAllRead, markRead, readInbox } from "./views.ts";

const FIRE = { "x-permission": "notifications:test" as const, tags: ["Notifications"] };
const OWN = { "x-permission": "authenticated" as const, tags: ["Inbox"] };

/** Rate limit of tests, which bypass the limits of rules and reach people and peers directly. */
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
  summary: "Test a notification rule",
  description:
    "For authors of notification rules. The call really sends the notifications and does not save the rule. A user may make 10 calls at once, then one every 6 seconds. It also requires `invoices:read`, `email:send` for a rule with e-mails, and the permissions of its connector calls.",
  request: { body: body(TestBody, { limit: 2 * MB }) },
  responses: {
    200: json(TestAnswer, "Result of the test with the first error"),
    ...failing(404, 429),
  },
});
const replay = route({
  ...FIRE,
  method: "post",
  operationId: "replayNotificationRule",
  path: "/api/notifications/replay",
  "x-audit": false,
  summary: "Preview a notification rule on a past period",
  description:
    "For authors of notification rules. The answer shows the notifications that the rule would have sent; nothing is sent. The call also requires `invoices:read`.",
  request: { body: body(ReplayBody) },
  responses: {
    200: json(ReplayAnswer, "Matching status changes, oldest first"),
    ...failing(404),
  },
});
const usual = route({
  method: "post",
  operationId: "createUsualRules",
  path: "/api/notifications/usual-rules",
  "x-permission": "templates:write",
  "x-audit": "template.created",
  tags: FIRE.tags,
  summary: "Create the usual notification rules",
  description:
    "For administrators. One rule each for invalid, failed, rejected, refused and disputed invoices writes messages in the portal and sends no e-mails. Existing rules stay. The call also requires `invoices:read`.",
  responses: { 200: json(UsualRules, "Names of the new rules") },
});
const deliveries = route({
  ...FIRE,
  method: "get",
  operationId: "listDeliveries",
  path: "/api/notifications/deliveries",
  summary: "List deliveries",
  description:
    "For administrators of notifications. Deliveries of all channels are listed, newest first.",
  request: { query: DeliveryQuery },
  responses: { 200: json(DeliveryList, "Page of the list with the total number of entries") },
});
const again = route({
  ...FIRE,
  method: "post",
  operationId: "replayDelivery",
  "x-audit": "delivery.replayed",
  path: "/api/notifications/deliveries/{id}/replay",
  summary: "Retry a delivery",
  description:
    "For administrators of notifications. The delivery must be `dead` or `failed`, wait for its next attempt, or be an e-mail that was only written to a file. The attempt begins at once, also while the mail server is paused. A failed one uses the rights of the rule's current owner.",
  request: { params: IdPath },
  responses: { 200: json(Done, "The delivery is retried") },
});
const dismiss = route({
  ...FIRE,
  method: "post",
  operationId: "dismissDelivery",
  "x-audit": "delivery.dismissed",
  path: "/api/notifications/deliveries/{id}/dismiss",
  summary: "Dismiss a delivery that was given up",
  description:
    "For administrators of notifications. The delivery must be `dead` and becomes `failed`: it stays in the list with its error, can be replayed, and no longer counts on Home.",
  request: { params: IdPath },
  responses: { 200: json(Done, "The delivery is dismissed") },
});
const inbox = route({
  ...OWN,
  method: "get",
  operationId: "listInbox",
  path: "/api/inbox",
  summary: "List portal messages",
  description:
    "For all users. The list contains messages for the caller, for the caller's roles and for everybody, newest first.",
  request: { query: InboxQuery },
  responses: {
    200: json(Inbox, "Page of messages, with the total and the number of unread ones"),
  },
});
const read = route({
  ...OWN,
  method: "post",
  operationId: "markMessageRead",
  path: "/api/inbox/{id}/read",
  "x-audit": false,
  summary: "Mark a portal message as read",
  description: "For all users. Other recipients of the message still see it as unread.",
  request: { params: IdPath },
  responses: { 200: json(Done, "The message is read") },
});

const readAll = route({
  ...OWN,
  method: "post",
  operationId: "markAllMessagesRead",
  path: "/api/inbox/read",
  "x-audit": false,
  summary: "Mark all portal messages as read",
  description: "For all users. Other recipients of the messages still see them as unread.",
  responses: { 200: json(Done, "All messages of the caller are read") },
});

export function notificationRoutes(deps: Deps & { readonly drawChart: DrawChart }) {
  const compileSheets = createCompileSheets(deps);
  return newRouter("invoicing")
    .openapi(test, async (c) => {
      await checkPermission(c, READS_INVOICES.code);
      await countCall(deps, { ...TESTS, username: c.var.actor.username });
      const { rule: { name, properties }, ...given } = c.req.valid("json");
      const notice = await readNotice(deps, given);
      const template = { name, properties };
      const report = await testRule(deps, { template, notice, caller: c.var.actor });
      const { error, ...counts } = report;
      return c.json({ ...counts, ...error && { error: translateFor(error, c) } }, 200);
    })
    .openapi(replay, async (c) => {
      const { rule, from, to } = c.req.valid("json");
      await checkPermission(c, READS_INVOICES.code);
      if (from >= to) throw new AppError("invalid", say`from must be before to`);
      const report = await replayRule(deps, { template: await readTemplate(deps, rule), from, to });
      return c.json({ success: true as const, ...report }, 200);
    })
    .openapi(usual, async (c) => {
      c.set("isAudited", true); // each rule has its own entry
      const { actor: by, language } = c.var;
      const created = await createUsualRules({ ...deps, compileSheets }, { by, language });
      return c.json({ success: true as const, created }, 200);
    })
    .openapi(deliveries, async (c) => {
      const { page, rest: filter } = splitPage(c.req.valid("query"));
      return c.json(await listDeliveries(deps.db, filter, { page, language: c.var.language }), 200);
    })
    .openapi(again, async (c) => {
      await changeDelivery(deps, c, { id: c.req.valid("param").id, change: replayDelivery });
      return c.json(done, 200);
    })
    .openapi(dismiss, async (c) => {
      await changeDelivery(deps, c, { id: c.req.valid("param").id, change: dismissDelivery });
      return c.json(done, 200);
    })
    .openapi(inbox, async (c) => {
      const { page, rest: { unread } } = splitPage(c.req.valid("query"));
      const view = {
        reader: findReader(deps, c.var.actor),
        unread: unread === "true",
        language: c.var.language,
      };
      return c.json(await readInbox(deps.db, view, page), 200);
    })
    .openapi(readAll, async (c) => {
      await markAllRead(deps.db, findReader(deps, c.var.actor));
      return c.json(done, 200);
    })
    .openapi(read, async (c) => {
      const { id } = c.req.valid("param");
      if (!await markRead(deps.db, id, findReader(deps, c.var.actor))) {
        throw notFound("Message", id);
      }
      return c.json(done, 200);
    });
}

/** Changes a delivery and records its earlier state in the audit trail. */
async function changeDelivery(
  deps: Deps,
  c: Context<HttpEnv>,
  { id, change }: { id: string; change: typeof replayDelivery },
): Promise<void> {
  const { username: by } = c.var.actor;
  const { address, channel, rule, ...before } = await change(deps, { id, by });
  c.set("target", rule || address);
  c.set("before", before);
  c.set("after", { delivery: id, channel, address });
}

async function readTemplate(
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

async function readNotice(
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
