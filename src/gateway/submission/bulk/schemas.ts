import { z } from "@hono/zod-openapi";
import { InvoicePath } from "#src/http/wire.ts";
import { StatusTime } from "../status_messages/schemas.ts";

/** Invoices that one call changes at most. */
const MAX_CHANGED = 100;
/** Invoices that one preview covers at most. */
const MAX_PREVIEWED = 1_000;

const ids = (most: number) =>
  z.array(InvoicePath.shape.id).min(1).max(most).openapi({
    type: "array",
    items: { type: "string" },
    description: `Invoice keys \`<doc>-<dct>-<kco>\`, at most ${most}; a repeated key counts once`,
    example: ["100000-RI-00001", "100001-RI-00001"],
  });

export const BulkPreviewBody = z.strictObject({ ids: ids(MAX_PREVIEWED) }).openapi(
  "BulkPreviewRequest",
  { description: "Selected invoices" },
);
export const BulkResendBody = z.strictObject({ ids: ids(MAX_CHANGED) }).openapi("BulkResend", {
  description: "Invoices to send again",
});
export const BulkStatusBody = z.strictObject({
  ids: ids(MAX_CHANGED),
  name: z.enum(["APPROVED", "PAYMENT_RECEIVED"]).openapi({
    description:
      "Status to send to the PA. `PAYMENT_RECEIVED` reports the amounts left to collect, by VAT rate",
  }),
  statusAt: StatusTime,
}).openapi("BulkStatus", { description: "Status to send for several invoices" });

export const BULK_ACTIONS = ["approve", "collect", "resend"] as const;
export const LEFT_OUT = [
  "missing",
  "direction",
  "status",
  "under-way",
  "settled",
  "credit-note",
  "findings",
  "treatment",
  "held",
] as const;

const text = z.array(z.string()).openapi({
  description: "Invoice keys `<doc>-<dct>-<kco>`",
  example: ["100000-RI-00001"],
});
export const BulkPreview = z.object({
  invoices: z.array(
    z.object({
      id: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      ublNumber: z.string().openapi({
        description: "Invoice number (BT-1); empty for a document that could not be read",
        example: "RI-100000",
      }),
    }).openapi({ description: "Number of one invoice" }),
  ).optional().openapi({ description: "Numbers of the selected invoices that exist" }),
  actions: z.array(
    z.object({
      action: z.enum(BULK_ACTIONS).openapi({
        description: "`approve` and `collect` send a status, `resend` starts a new submission",
      }),
      ids: text,
      totals: z.array(
        z.object({
          currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
          amount: z.string().openapi({
            description:
              "Sum of the amounts: left to collect for `collect`, else with VAT. Credit notes count negative",
            example: "1200.00",
          }),
        }).openapi({ description: "Sum of one currency" }),
      ).openapi({ description: "Sums of the invoices in `ids`" }),
      recordedOnly: text.openapi({
        description: "Sales among `ids` whose payment the PA does not take: it is only recorded",
        example: [],
      }),
      leftOut: z.array(
        z.object({
          reason: z.enum(LEFT_OUT).openapi({
            description:
              "`missing`: no such invoice. `direction`: of the other side. `status`: the status does not allow it. `under-way`: another change is being sent. `settled`: nothing is left to collect. `credit-note`: a credit note is not collected with others. `findings`: fatal findings. `treatment`: its tax treatment must be chosen. `held`: the PA holds it, or has its number",
          }),
          ids: text,
        }).openapi({ description: "Invoices left out for one reason" }),
      ).openapi({ description: "Invoices that the action leaves out" }),
    }).openapi({ description: "One action on the selected invoices" }),
  ).openapi({ description: "Actions, each with the invoices that allow it" }),
}).openapi("BulkPreview", { description: "What each action would do to the selected invoices" });

export const BulkResult = z.object({
  results: z.array(
    z.object({
      id: z.string().openapi({
        description: "Invoice key `<doc>-<dct>-<kco>`",
        example: "100000-RI-00001",
      }),
      success: z.boolean().openapi({ description: "True when the change was made" }),
      uuid: z.string().nullable().openapi({
        description:
          "Tracking identifier at the PA; null without success, and for a payment that is only recorded",
        example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
      }),
      error: z.string().nullable().openapi({
        description: "Reason why nothing changed; null with success",
        example: null,
      }),
    }).openapi({ description: "Result of one invoice" }),
  ).openapi({ description: "Results in the order of the request" }),
}).openapi("BulkResult", { description: "Results, one for each invoice" });
