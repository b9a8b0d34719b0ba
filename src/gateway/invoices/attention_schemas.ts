import { z } from "@hono/zod-openapi";
import { ATTENTIONS, HANDLEABLE } from "#src/domain/invoice/attention.ts";

const AttentionCode = z.enum(ATTENTIONS.map((it) => it.code));
const attention = {
  code: AttentionCode.openapi({ description: "Code of the point", example: "not-routed" }),
  label: z.string().openapi({
    description: "Label in the caller's language",
    example: "Non routée",
  }),
  labelEn: z.string().openapi({ description: "Label in English", example: "Not routed" }),
};
/** A point of an invoice that waits for a person. */
export const AttentionPoint = z.object(attention).openapi("InvoiceAttention", {
  description: "Point of an invoice that requires action by a person",
});
/** A point with what happened and what to do about it. */
export const AttentionDetails = z.object({
  ...attention,
  happened: z.string().openapi({
    description: "Event in the caller's language",
    example: "The public portal refused the invoice.",
  }),
  todo: z.string().openapi({
    description: "Action for a person, in the caller's language",
    example: "Correct the invoice in the ERP and send it again.",
  }),
  at: z.string().nullable().openapi({
    description: "Time of the event; null when no status reported it",
    example: "2026-11-20T10:00:00.000Z",
  }),
  by: z.string().nullable().openapi({
    description: "Origin of the event: `pa`, `portal` (the public portal) or `operator:<user>`",
    example: "portal",
  }),
  reasonCode: z.string().nullable().openapi({
    description: "Reason code of the national list; null without one",
    example: "PU_ERR",
  }),
  reasonLabel: z.string().nullable().openapi({
    description: "Label of the reason in the caller's language",
    example: "Routing error",
  }),
  message: z.string().openapi({
    description: "Message that came with the status",
    example: "Recipient unknown",
  }),
}).openapi("InvoiceAttentionDetails", {
  description: "Point of an invoice that requires action, with what happened and what to do",
});

/** Mark of a sale whose status waits for a person. */
export const StatusHandling = z.object({
  isHandled: z.boolean().openapi({ description: "True once a person marked it", example: true }),
  at: z.string().nullable().openapi({
    description: "Time of the mark; null without one",
    example: "2026-11-20T10:00:00.000Z",
  }),
  by: z.string().nullable().openapi({
    description: "User who marked it; null without a mark",
    example: "claire",
  }),
  comment: z.string().nullable().openapi({
    description: "Comment of that user; null without a mark",
    example: "Credit note AV-7 issued",
  }),
}).openapi("StatusHandling", {
  description: "Mark of a status as handled; marks of earlier versions have no author",
});

/** Points that a person dealt with. */
export const AttentionHandled = z.object({
  points: z.array(z.enum(HANDLEABLE)).min(1).max(HANDLEABLE.length).openapi({
    description:
      "Points to close; other points stay open. `status` closes the status of a sale until its next status: rejected by checks, sending failed, rejected or refused",
    example: ["portal-refused"],
  }),
  comment: z.string().trim().min(1).max(500).openapi({
    description: "Action that was taken; shown in the audit trail, and with a closed status",
    example: "The platform sent the data again",
  }),
}).strict().openapi("AttentionHandled", { description: "Points that a person handled" });
