import { z } from "@hono/zod-openapi";

const addresses = z.union([z.string().max(20_000), z.array(z.string().max(1000)).max(1000)])
  .openapi({
    description: "Addresses separated by `,` or `;`, or a list of them; bare, without names",
    example: "ann@example.fr",
  });

export const EmailBody = z.object({
  to: addresses.openapi({
    description: "Recipients: addresses without names, separated by `,` or `;`, or a list",
    example: "marie.durand@helios.example",
  }),
  cc: addresses.optional().openapi({
    description:
      "Recipients of a copy: addresses without names, separated by `,` or `;`, or a list",
    example: "ann@helios.example",
  }),
  subject: z.string().max(500).openapi({
    description: "Subject of the e-mail",
    example: "Invoice 100000",
  }),
  body: z.string().max(1_000_000).openapi({
    description: "Plain text of the e-mail",
    example: "Please find the invoice attached.",
  }),
  invoiceId: z.string().min(1).optional().openapi({
    description: "Key of an invoice whose PDF and UBL are attached",
    example: "100000-RI-00001",
  }),
}).strict().openapi("Email", { description: "E-mail to send" });

export const EmailSent = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  messageId: z.string().openapi({
    description: "Message-ID of the e-mail",
    example: "<1f3e@helios.example>",
  }),
  via: z.enum(["smtp", "folder"]).openapi({
    description: "`folder` when the template `global` names no mail server",
  }),
  file: z.string().optional().openapi({
    description: "File in the folder `mail` that contains the message",
    example: "mail/1f3e.eml",
  }),
  refused: z.array(z.string()).optional().openapi({
    description: "Recipients that the mail server refused",
  }),
}).openapi("EmailSent", { description: "Result of sending an e-mail" });
