import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
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
    description: "Amount with at most two decimals; negative for a reversal",
  }),
  rate: decimal.openapi({
    type: "string",
    example: "20",
    description: "VAT rate of the invoice in percent",
  }),
  currency: z.string().regex(/^[A-Z]{3}$/).default("EUR").openapi({
    description: "Currency, ISO 4217",
    example: "EUR",
  }),
}).openapi("RateAmount", { description: "Amount of one VAT rate" });

/** Time at which a status became true, as the caller gives it. */
export const StatusTime = z.string().regex(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
  words(say`expected yyyy-MM-ddTHH:mm:ss without a zone`),
).optional().openapi({
  type: "string",
  example: "2026-11-20T09:30:00",
  description:
    "Time of the status in UTC; default: now. It must not be before the invoice date or in the future",
});

const isConfirmed = z.boolean().default(false).openapi({
  description:
    "True to accept a collected amount above the amount of the invoice, for example an overpayment. Without it the answer is 422",
});

const toDb = z.strictObject({
  target: z.literal("db").openapi({ description: "`db` changes the stored status only" }),
  code: z.string().trim().min(1).max(10).openapi({
    description: "New status code",
    example: "9901",
  }),
  reason: z.string().max(2000).default("").openapi({
    description: "Reason for the change, shown in the history",
    example: "Price differs from the order",
  }),
  payment: z.strictObject({
    amounts: z.array(RateAmount).min(1).max(50).openapi({
      description: "Amounts collected per VAT rate",
    }),
    statusAt: StatusTime,
    confirm: isConfirmed,
  }).optional().openapi({
    description:
      "Payment of a sale whose payment the PA does not take, with code 212; see `collectedByHand` of the actions",
  }),
});

const toPa = z.strictObject({
  target: z.literal("pa").openapi({ description: "`pa` sends a lifecycle message to the PA" }),
  name: z.string().trim().min(1).max(40).openapi({
    type: "string",
    enum: PA_STATUS_NAMES,
    example: "DISPUTED",
    description: "Status to send; upper and lower case are accepted",
  }),
  reason: z.string().max(2000).default("").openapi({
    description: "Reason code of the national list, or a sentence",
    example: "PU_ERR",
  }),
  statusAt: StatusTime,
  confirm: isConfirmed,
  data: z.strictObject({
    amounts: z.array(RateAmount).max(50).default([]).openapi({
      description: "Amounts per VAT rate, collected or paid",
    }),
    action: z.string().trim().min(1).max(10).optional().openapi({
      description: "Action code of the national list that the other party must take",
      example: "NIN",
    }),
    reasonCode: z.string().trim().min(1).max(40).optional().openapi({
      description: "Reason code of the national list, when `reason` is a sentence",
      example: "PU_ERR",
    }),
    comment: z.string().max(2000).optional().openapi({
      description: "Comment for the other party",
      example: "Price differs from the order",
    }),
  }).default({ amounts: [] }).openapi({
    description:
      "Further information: `amounts` collected or paid per VAT rate (for `PAYMENT_RECEIVED` and `PAYMENT_SENT`), `action` that the other party must take, `reasonCode` when `reason` is a sentence, `comment`",
  }),
});

export const StatusUpdate = z.discriminatedUnion("target", [toDb, toPa]).openapi("StatusUpdate", {
  description: "Status to store or to send",
});
export const StatusTold = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  uuid: z.string().optional().openapi({
    description: "Tracking identifier of the message at the PA, with `target: pa`",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
}).openapi("StatusTold", { description: "Result of a status change" });

export const MessagePath = z.object({
  id: z.uuid().openapi({
    description: "Identifier of the status message",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});
const shape = {
  id: z.string().openapi({
    description: "Identifier of the status message",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  status: z.string().openapi({ description: "National code of the status", example: "205" }),
  state: z.enum(STATUS_MESSAGE_STATES).openapi({
    description: "State of the message",
  }),
  flowId: z.string().nullable().openapi({
    description: "Flow identifier at the PA; null before it is accepted",
    example: "b7a3c7b2-7d6d-4c1e-9c56-2f0d2a1b3c4d",
  }),
  attempts: z.int().openapi({ description: "Number of attempts so far", example: 1 }),
  lastError: z.string().nullable().openapi({
    description: "Last error; null without one",
    example: "The PA answered 503",
  }),
  createdBy: z.string().openapi({ description: "User who sent the status", example: "mdurand" }),
  amounts: paidAmounts.openapi({
    description: "Amounts collected by VAT rate, for a payment received (status 212)",
  }),
  occurredAt: z.string().openapi({
    description: "Time of the status as sent to the PA",
    example: "2026-11-20T09:30:00",
  }),
  createdAt: z.string().openapi({
    description: "Time of creation",
    example: "2026-11-20T09:30:00.000Z",
  }),
};
export const StatusMessages = z.object({
  messages: z.array(
    z.object({
      ...shape,
      isStuck: z.boolean().openapi({
        description:
          "True when the message requires action by a person, as in `GET /api/status-messages`",
      }),
    }).openapi({ description: "Status message to the PA" }),
  ).openapi({ description: "Status messages, newest first" }),
}).openapi("StatusMessages", { description: "Statuses sent to the PA for an invoice" });
export const StatusMessageList = z.object({
  messages: z.array(
    z.object({
      ...shape,
      invoice: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      ublNumber: z.string().nullable().openapi({
        description: "Number of the invoice (BT-1)",
        example: "100000-RI-00001",
      }),
      direction: z.enum(["issued", "received"]).openapi({
        description: "`issued` for a sale, `received` for a purchase",
        example: "issued",
      }),
    }).openapi({ description: "Status message that requires action by a person" }),
  ).openapi({ description: "Messages of this page" }),
  ...counted,
}).openapi("StatusMessageList", { description: "Page of status messages that require action" });
