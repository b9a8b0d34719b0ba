import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";
import { PA_STATUS_NAMES } from "#src/domain/invoice/status.ts";
import { counted } from "#src/http/list.ts";
import { paidAmounts } from "#src/http/wire.ts";
import { STATUS_MESSAGE_STATES } from "#src/domain/submission/status_message.ts";

const decimal = z.union([
  z.string().trim().regex(/^-?\d{1,15}(\.\d{1,6})?$/, words(say`expected a decimal number`)),
  z.number().transform(String),
]);

const RateAmount = z.strictObject({
  amount: decimal.openapi({
    type: "string",
    example: "120.00",
    description: "Two decimals at most; negative for a reversal",
  }),
  rate: decimal.openapi({
    type: "string",
    example: "20",
    description: "VAT rate of the invoice, in percent",
  }),
  currency: z.string().regex(/^[A-Z]{3}$/).default("EUR"),
}).openapi("RateAmount");

const toDb = z.strictObject({
  target: z.literal("db"),
  code: z.string().trim().min(1).max(10),
  reason: z.string().max(2000).default(""),
});

const toPa = z.strictObject({
  target: z.literal("pa"),
  name: z.string().trim().min(1).max(40).openapi({
    example: PA_STATUS_NAMES[0],
    description: `One of ${PA_STATUS_NAMES.join(", ")}`,
  }),
  reason: z.string().max(2000).default("").openapi({ description: "A reason code, or a sentence" }),
  statusAt: z.string().regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
    words(say`expected yyyy-MM-ddTHH:mm:ss without a zone`),
  ).optional().openapi({
    type: "string",
    example: "2026-11-20T09:30:00",
    description: "UTC; default now. From the invoice's date on, and not in the future",
  }),
  data: z.strictObject({
    amounts: z.array(RateAmount).max(50).default([]),
    action: z.string().trim().min(1).max(10).optional(),
    reasonCode: z.string().trim().min(1).max(40).optional(),
    comment: z.string().max(2000).optional(),
  }).default({ amounts: [] }).openapi({
    description:
      "`amounts` collected per VAT rate (for PAYMENT_RECEIVED), or paid (PAYMENT_SENT), `action` asked of the other party, `reasonCode` where `reason` is a sentence, `comment`",
  }),
});

export const StatusUpdate = z.discriminatedUnion("target", [toDb, toPa]).openapi("StatusUpdate");
export const StatusTold = z.object({
  success: z.literal(true),
  uuid: z.string().optional().openapi({
    description: "With `target: pa`: tracking id of the message at the PA",
  }),
}).openapi("StatusTold");

export const MessagePath = z.object({ id: z.uuid() });
const shape = {
  id: z.string(),
  status: z.string(),
  state: z.enum(STATUS_MESSAGE_STATES),
  flowId: z.string().nullable(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdBy: z.string(),
  amounts: paidAmounts,
  occurredAt: z.string(),
  createdAt: z.string(),
};
export const StatusMessages = z.object({
  messages: z.array(z.object({
    ...shape,
    isStuck: z.boolean().openapi({
      description: "It needs a person, as those that `GET /api/status-messages` lists",
    }),
  })),
}).openapi("StatusMessages");
export const StatusMessageList = z.object({
  messages: z.array(z.object({
    ...shape,
    invoice: z.string(),
    ublNumber: z.string().nullable(),
    direction: z.enum(["issued", "received"]),
  })),
  ...counted,
}).openapi("StatusMessageList");
