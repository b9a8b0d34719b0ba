import { z } from "@hono/zod-openapi";

const addresses = z.union([z.string().max(20_000), z.array(z.string().max(1000)).max(1000)])
  .openapi({
    description: "Addresses separated by `,` or `;`, or a list of them; bare, without names",
    example: "ann@example.fr",
  });

export const EmailBody = z.object({
  to: addresses,
  cc: addresses.optional(),
  subject: z.string().max(500),
  body: z.string().max(1_000_000).openapi({ description: "Plain text" }),
  invoiceId: z.string().min(1).optional().openapi({
    description: "`<doc>-<dct>-<kco>`; its PDF and UBL are attached",
  }),
}).strict().openapi("Email");

export const EmailSent = z.object({
  success: z.literal(true),
  messageId: z.string(),
  via: z.enum(["smtp", "folder"]).openapi({
    description: "`folder` while the template `global` names no mail server",
  }),
  file: z.string().optional().openapi({ description: "Where the message was written" }),
  refused: z.array(z.string()).optional().openapi({
    description: "Recipients the mail server did not take",
  }),
}).openapi("EmailSent");
