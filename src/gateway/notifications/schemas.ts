import { createIssue } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import { findStatus } from "#src/domain/invoice/status.ts";
import { CHANNEL_NAMES } from "#src/domain/notification/mod.ts";
import { RULE_CATALOGUE } from "#src/domain/template/catalogue_rules.ts";
import { counted, pageQuery } from "#src/http/list.ts";
import { inYears } from "#src/http/wire.ts";
import { PROGRESS } from "./views.ts";

const PROPERTIES = Object.entries(RULE_CATALOGUE).map(([name, { help }]) =>
  `\`${name}\`: ${help.en}`
).join("; ");

export const Rule = z.object({
  name: z.string().trim().min(1).max(100).default("test").openapi({
    description: "Name of the rule",
    example: "Rejections to accounting",
  }),
  type: z.literal("notification-rule").optional().openapi({
    description: "Always `notification-rule`",
  }),
  properties: z.record(z.string().max(100), z.string().max(100_000)).default({})
    .openapi({ description: PROPERTIES, example: { enabled: "Y", "trigger.status": "207,213" } }),
}).strict().openapi("NotificationRule", { description: "Notification rule with its properties" });

const part = (max: number) => z.string().trim().min(1).max(max);

export const TestBody = z.object({
  rule: Rule,
  doc: part(60).openapi({ description: "Document number in the ERP", example: "100000" }),
  dct: part(20).openapi({ description: "Document type in the ERP", example: "RI" }),
  kco: part(20).openapi({ description: "Company code in the ERP", example: "00001" }),
  status: z.string().trim().max(20)
    .superRefine((it, issues) => {
      if (it === "" || findStatus(it) !== undefined) return;
      issues.addIssue(createIssue(say`${JSON.stringify(it)} is no status code`));
    }).optional().openapi({
      description: "Status code of the test; default: the status of the invoice",
      example: "207",
    }),
  reason: z.string().trim().max(60).optional().openapi({
    description: "Reason code of the test",
    example: "PU_ERR",
  }),
  action: z.string().trim().max(20).optional().openapi({
    description: "Action code of the test",
    example: "NIN",
  }),
  message: z.string().max(10_000).optional().openapi({
    description: "Message of the test status",
    example: "Price differs from the order",
  }),
}).strict().openapi("NotificationTest", {
  description: "Rule to test and the invoice to test it on",
});

export const TestAnswer = z.object({
  success: z.boolean().openapi({
    description: "True when every action of the rule succeeded",
    example: true,
  }),
  portal: z.int().openapi({ description: "Number of portal messages", example: 1 }),
  emails: z.int().openapi({ description: "Number of e-mails sent", example: 1 }),
  actions: z.int().openapi({ description: "Number of connector calls", example: 0 }),
  error: z.string().optional().openapi({
    description: "First error",
    example: "The mail server does not answer",
  }),
}).openapi("NotificationTestReport", { description: "Result of a rule test" });

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
    description: "Name of a stored rule, or a rule",
    example: "Rejections to accounting",
  }),
  from: start.openapi({
    description: "Start of the period: a day or a time",
    example: "2026-11-01",
  }),
  to: end.openapi({
    description: "End of the period: a time, or a day that is included",
    example: "2026-11-30",
  }),
}).strict().openapi("NotificationReplay", { description: "Rule and period to replay" });

export const ReplayAnswer = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  examined: z.int().openapi({ description: "Number of examined status changes", example: 120 }),
  matched: z.int().openapi({ description: "Number of matching status changes", example: 4 }),
  truncated: z.boolean().openapi({
    description: "True when more changes match than the report shows",
    example: false,
  }),
  dispatches: z.array(
    z.object({
      at: z.string().openapi({
        description: "Time of the status change",
        example: "2026-11-20T09:30:00.000Z",
      }),
      id: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      status: z.string().openapi({
        description: "Status code that the invoice reached",
        example: "210",
      }),
      reason: z.string().openapi({
        description: "Reason code of the status; may be empty",
        example: "PU_ERR",
      }),
      portal: z.string().nullable().openapi({
        description:
          "Recipients of the portal message: `*`, `user:<name>` or `role:<name>`; null without one",
        example: "role:clerk",
      }),
      portalMessage: z.string().nullable().openapi({
        description: "Portal message; null without one",
        example: "Invoice 100000-RI-00001 was rejected",
      }),
      emails: z.array(z.string()).openapi({
        description: "E-mail addresses of the recipients",
        example: ["marie.durand@helios.example"],
      }),
      subject: z.string().openapi({
        description: "Subject of the e-mail",
        example: "Invoice 100000 RI 00001 — Deposited",
      }),
      body: z.string().openapi({
        description: "Text of the e-mail",
        example: "The buyer rejected invoice 100000-RI-00001.",
      }),
      actions: z.array(
        z.object({
          connector: z.string().openapi({ description: "Name of the connector", example: "crm" }),
          target: z.string().openapi({ description: "Endpoint or query to call", example: "list" }),
          parameters: z.record(z.string(), z.string()).openapi({
            description: "Parameters by name",
            example: {},
          }),
        }).openapi({ description: "Connector call of a rule" }),
      ).openapi({ description: "Connector calls of the rule" }),
    }).openapi({ description: "Status change with the actions that the rule would have taken" }),
  ).openapi({ description: "Matching status changes with the actions of the rule" }),
}).openapi("NotificationReplayReport", {
  description: "Status changes that a rule would have handled",
});

const STATES = ["pending", "sent", "failed", "dead"] as const;
const CHANNELS = [...CHANNEL_NAMES, "action", "dispatch"] as const;

export const DeliveryQuery = pageQuery().extend({
  id: z.uuid().optional().openapi({
    description: "Only this delivery",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  state: z.enum(STATES).optional().openapi({ description: "Only deliveries in this state" }),
  progress: z.enum(PROGRESS).optional().openapi({
    description:
      "Only deliveries with this progress. `filed`: e-mails that were only written to a file, which `sent` excludes. `paused`: not attempted yet, because the mail server does not answer. `retried`: attempted, and will be again. `pending` excludes both",
    example: "filed",
  }),
  channel: z.enum(CHANNELS).optional().openapi({
    description: "Only deliveries of this channel",
    example: "email",
  }),
  rule: z.string().optional().openapi({
    description:
      "Only deliveries of notification rules whose name contains this text, without regard to case and accents",
    example: "rejections",
  }),
});

export const DeliveryList = z.object({
  deliveries: z.array(
    z.object({
      id: z.string().openapi({
        description: "Identifier of the delivery",
        example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
      }),
      eventId: z.string().openapi({
        description: "Identifier of the status change",
        example: "4711",
      }),
      rule: z.string().openapi({
        description: "Name of the notification rule",
        example: "Rejections to accounting",
      }),
      channel: z.enum(CHANNELS).openapi({
        description: "Channel of the delivery",
        example: "email",
      }),
      address: z.string().openapi({
        description: "Recipient: an e-mail address, a user, a role or a connector",
        example: "marie.durand@helios.example",
      }),
      state: z.enum(STATES).openapi({
        description:
          "`dead` waits for a replay or a dismissal. `failed` can be replayed once its cause is mended, for example an e-mail that the owner of the rule may not send; a failed call cannot. A delivery that was dismissed is `failed`",
      }),
      invoice: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      number: z.string().nullable().openapi({
        description: "Number of the invoice (BT-1); null if it is no longer recorded",
        example: "FA-2026-0001",
      }),
      status: z.string().openapi({
        description: "Status code that the invoice reached",
        example: "210",
      }),
      subject: z.string().openapi({
        description: "Subject of the notification",
        example: "Invoice 100000 RI 00001 — Deposited",
      }),
      outputs: z.record(z.string(), z.string()).nullable().openapi({
        description: "Outputs of the connector calls; null without one",
        example: { "ticket": "T-42" },
      }),
      attempts: z.int().openapi({ description: "Number of attempts so far", example: 1 }),
      error: z.string().nullable().openapi({
        description:
          "Last error, or that an e-mail was only written to a file because no mail server is set up; null without one",
        example: "The mail server does not answer",
      }),
      nextAttemptAt: z.string().nullable().openapi({
        description: "Time of the next attempt after an error; null where none is planned",
        example: "2026-11-20T09:45:00.000Z",
      }),
      outageSince: z.string().nullable().openapi({
        description:
          "Time since which the mail server does not answer, for a delivery that was not attempted yet; null for others",
        example: "2026-11-20T09:32:00.000Z",
      }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
      settledAt: z.string().nullable().openapi({
        description: "Time of the delivery or of the final failure; null before it",
        example: "2026-11-20T09:30:12.000Z",
      }),
    }).openapi({ description: "Delivery of a notification" }),
  ).openapi({ description: "Deliveries of this page" }),
  ...counted,
}).openapi("NotificationDeliveries", { description: "Page of deliveries" });

export const IdPath = z.object({
  id: z.uuid().openapi({
    description: "Identifier of the delivery or message",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});

export const InboxQuery = pageQuery().extend({
  unread: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` lists only unread messages",
  }),
});

export const Inbox = z.object({
  messages: z.array(
    z.object({
      id: z.string().openapi({
        description: "Identifier of the message",
        example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
      }),
      rule: z.string().openapi({
        description: "Notification rule that sent the message",
        example: "Rejections to accounting",
      }),
      target: z.string().openapi({
        description: "Recipients of the message: `*`, `user:<name>` or `role:<name>`",
        example: "role:clerk",
      }),
      subject: z.string().openapi({
        description: "Subject of the message",
        example: "Invoice 100000 RI 00001 — Deposited",
      }),
      message: z.string().openapi({
        description: "Text of the message",
        example: "The buyer rejected invoice 100000-RI-00001.",
      }),
      invoice: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      number: z.string().nullable().openapi({
        description: "Number of the invoice (BT-1); null if it is no longer recorded",
        example: "FA-2026-0001",
      }),
      status: z.string().openapi({
        description: "Status code that the invoice reached",
        example: "210",
      }),
      statusLabel: z.string().openapi({
        description: "Status label in the caller's language",
        example: "Refusée",
      }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
      partner: z.string().nullable().openapi({
        description: "Supplier of a received invoice, customer of an issued one",
        example: "Ateliers Morvan",
      }),
      statusReason: z.string().nullable().openapi({
        description:
          "Reason of the status, as in lists of invoices; null once the invoice has another status",
        example: "VAT rate wrong: it must be 10 %",
      }),
      readAt: z.string().nullable().openapi({
        description: "Time when the caller read the message; null for an unread one",
        example: "2026-11-20T09:31:00.000Z",
      }),
    }).openapi({ description: "Portal message" }),
  ).openapi({ description: "Messages of this page" }),
  ...counted,
  unread: z.int().openapi({ description: "Number of unread messages, at most 1000", example: 3 }),
}).openapi("Inbox", { description: "Page of portal messages" });

export const UsualRules = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  created: z.array(z.string()).openapi({
    description: "Names of the new rules",
    example: ["Rejetée au contrôle"],
  }),
}).openapi("UsualRules", { description: "New notification rules" });
