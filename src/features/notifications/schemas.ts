import { issueOf } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { statusOf } from "#src/domain/invoice/status.ts";
import { RULE_CATALOGUE } from "#src/domain/template/catalogue_rules.ts";
import { counted, pageQuery } from "#src/http/list.ts";
import { inYears } from "#src/http/wire.ts";

const PROPERTIES = Object.entries(RULE_CATALOGUE).map(([name, { help }]) =>
  `\`${name}\`: ${help.en}`
).join("; ");

export const Rule = z.object({
  name: z.string().trim().min(1).max(100).default("test"),
  type: z.literal("notification-rule").optional(),
  properties: z.record(z.string().max(100), z.string().max(100_000)).default({})
    .openapi({ description: PROPERTIES, example: { enabled: "Y", "trigger.status": "207,213" } }),
}).strict().openapi("NotificationRule");

const part = (max: number) => z.string().trim().min(1).max(max);

export const TestBody = z.object({
  rule: Rule,
  doc: part(60),
  dct: part(20),
  kco: part(20),
  status: z.string().trim().max(20)
    .superRefine((it, issues) => {
      if (it === "" || statusOf(it) !== undefined) return;
      issues.addIssue(issueOf(say`${JSON.stringify(it)} is no status code`));
    }).optional().openapi({ description: "The invoice's own without it" }),
  reason: z.string().trim().max(60).optional(),
  action: z.string().trim().max(20).optional(),
  message: z.string().max(10_000).optional(),
}).strict().openapi("NotificationTest");

export const TestAnswer = z.object({
  success: z.boolean(),
  portal: z.int().openapi({ description: "Portal records written" }),
  emails: z.int().openapi({ description: "Messages sent" }),
  actions: z.int().openapi({ description: "Calls made" }),
  error: z.string().optional().openapi({ description: "The first one" }),
}).openapi("NotificationTestReport");

const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const asUtc = (text: string) => /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
const start = inYears(
  moment.transform((it) => new Date(it.includes("T") ? asUtc(it) : `${it}T00:00:00Z`)),
).openapi({ type: "string", example: "2026-11-01" });
const end = inYears(
  moment.transform((it) =>
    it.includes("T") ? new Date(asUtc(it)) : new Date(Date.parse(`${it}T00:00:00Z`) + 86_400_000)
  ),
).openapi({ type: "string", example: "2026-11-30", description: "A day counts whole" });

export const ReplayBody = z.object({
  rule: z.union([z.string().min(1), Rule]).openapi({
    description: "The name of a stored rule, or a rule",
  }),
  from: start,
  to: end,
}).strict().openapi("NotificationReplay");

export const ReplayAnswer = z.object({
  success: z.literal(true),
  examined: z.int(),
  matched: z.int(),
  truncated: z.boolean(),
  dispatches: z.array(z.object({
    at: z.string(),
    id: z.string(),
    status: z.string(),
    reason: z.string(),
    portal: z.string().nullable().openapi({ description: "`*`, `user:<name>` or `role:<name>`" }),
    portalMessage: z.string().nullable(),
    emails: z.array(z.string()),
    subject: z.string(),
    body: z.string(),
    actions: z.array(z.object({
      connector: z.string(),
      target: z.string(),
      parameters: z.record(z.string(), z.string()),
    })),
  })),
}).openapi("NotificationReplayReport");

const STATES = ["pending", "sent", "failed", "dead"] as const;
const CHANNELS = ["portal", "email", "action", "dispatch"] as const;

export const DeliveryQuery = pageQuery().extend({
  state: z.enum(STATES).optional(),
  channel: z.enum(CHANNELS).optional(),
  rule: z.string().optional(),
});

export const DeliveryList = z.object({
  deliveries: z.array(z.object({
    id: z.string(),
    eventId: z.string().openapi({ description: "Of the status change" }),
    rule: z.string(),
    channel: z.enum(CHANNELS),
    address: z.string(),
    state: z.enum(STATES).openapi({
      description: "`dead` waits for a replay; `failed` is final: the outcome of a call, or an " +
        "e-mail the rule's owner may not send",
    }),
    invoice: z.string(),
    status: z.string(),
    subject: z.string(),
    outputs: z.record(z.string(), z.string()).nullable(),
    attempts: z.int(),
    error: z.string().nullable(),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  })),
  ...counted,
}).openapi("NotificationDeliveries");

export const IdPath = z.object({ id: z.uuid() });

export const InboxQuery = pageQuery().extend({
  unread: z.enum(["true", "false"]).default("false").openapi({ description: "Unread ones only" }),
});

export const Inbox = z.object({
  messages: z.array(z.object({
    id: z.string(),
    rule: z.string(),
    target: z.string(),
    subject: z.string(),
    message: z.string(),
    invoice: z.string(),
    status: z.string(),
    statusLabel: z.string(),
    createdAt: z.string(),
    readAt: z.string().nullable(),
  })),
  ...counted,
  unread: z.int().openapi({ description: "At most 1000" }),
}).openapi("Inbox");
