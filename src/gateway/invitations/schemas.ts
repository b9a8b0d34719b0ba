import { z } from "@hono/zod-openapi";
import { MISSING } from "./invite.ts";

const time = () => z.iso.datetime().openapi({ example: "2026-11-23T09:30:00.000Z" });

export const UserPath = z.object({
  username: z.string().max(256).openapi({ description: "Username", example: "mdurand" }),
});
export const Invited = z.object({
  expires_at: time().openapi({ description: "Time after which the link no longer works" }),
  sent_to: z.string().nullable().openapi({
    description: "Address that received the link; null when it was not sent",
    example: "marie.durand@helios.example",
  }),
  link: z.string().nullable().openapi({
    description:
      "Link to hand over, shown only in this answer; null when it was sent. Without `PUBLIC_URL` it is a path of the console",
    example: null,
  }),
  missing: z.enum(MISSING).nullable().openapi({
    description:
      "What is missing to send the link: the user's `address`, the `mail_server`, or the `public_url` of the product (variable `PUBLIC_URL`); null when it was sent",
    example: null,
  }),
}).openapi("Invited", { description: "Invitation that was made" });
export const OpenInvitation = z.object({
  invitation: z.object({
    created_by: z.string().openapi({ description: "Administrator", example: "admin" }),
    email: z.string().nullable().openapi({
      description: "Address of the user at that time",
      example: "marie.durand@helios.example",
    }),
    expires_at: time().openapi({ description: "Time after which the link no longer works" }),
    is_expired: z.boolean().openapi({ description: "True when the link no longer works" }),
  }).nullable().openapi({ description: "Invitation; null when the user has none" }),
}).openapi("OpenInvitation", { description: "Invitation of a user, without its link" });
export const Revoked = z.object({
  ok: z.literal(true).openapi({ description: "Always true" }),
}).openapi("InvitationRevoked", { description: "Confirmation that the link no longer works" });
const Token = z.string().min(1).max(200).openapi({
  description: "Part of the link after `#`",
  example: "Zk3vJr0m2P7xqUeB1sWcYtH9oLaNdG5iKfR8bQ4hXyE",
});
export const CheckBody = z.strictObject({ token: Token })
  .openapi("InvitationToCheck", { description: "Token of an invitation" });
export const Checked = z.object({
  username: z.string().openapi({
    description: "Name with which the user will sign in",
    example: "mdurand",
  }),
  company: z.string().nullable().openapi({
    description: "Name of the company of this installation; null while it is not entered",
    example: "Helios SAS",
  }),
}).openapi("InvitationChecked", { description: "User whom the link invites" });
export const AcceptBody = z.object({
  token: Token,
  password: z.string().openapi({
    description: "Password that the user chose",
    example: "another horse battery staple",
  }),
}).strict().openapi("AcceptedInvitation", { description: "Password of an invited user" });
export const Accepted = z.object({
  username: z.string().openapi({
    description: "Name with which the user signs in",
    example: "mdurand",
  }),
}).openapi("InvitationAccepted", { description: "User who can sign in now" });
