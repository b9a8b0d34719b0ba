import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { acceptInvitation, checkInvitation } from "./accept.ts";
import { type InviteDeps, inviteUser, revokeInvitation } from "./invite.ts";
import {
  AcceptBody,
  Accepted,
  CheckBody,
  Checked,
  Invited,
  OpenInvitation,
  Revoked,
  UserPath,
} from "./schemas.ts";
import { findInvitation } from "./store.ts";

const path = "/admin/users/{username}/invitation";
const ofUser = { tags: ["Users and roles"], path, request: { params: UserPath } };

const read = route({
  ...ofUser,
  method: "get",
  operationId: "getInvitation",
  "x-permission": "users:read",
  summary: "Read the invitation of a user",
  description: "For administrators of users. The link itself is not stored.",
  responses: { 200: json(OpenInvitation, "Invitation, or null") },
});
const invite = route({
  ...ofUser,
  method: "post",
  operationId: "inviteUser",
  "x-permission": "users:write",
  "x-audit": "user.invited",
  "x-once": false, // the answer may contain the link, which is stored nowhere
  summary: "Invite a user to choose a password",
  description:
    "For administrators of users. The link works once, for 72 hours, and replaces an earlier one. It is sent to the user's address if a mail server and `PUBLIC_URL` are set up; else the answer contains it. The caller must hold all permissions of the user.",
  responses: {
    200: json(Invited, "The invitation was sent, or its link"),
    ...failing(404, 409, 422, 429, 502, 503),
  },
});
const revoke = route({
  ...ofUser,
  method: "delete",
  operationId: "revokeInvitation",
  "x-permission": "users:write",
  "x-audit": "user.invitation_revoked",
  summary: "Revoke the invitation of a user",
  description: "For administrators of users. The link no longer works.",
  responses: { 200: json(Revoked, "The link no longer works"), ...failing(404) },
});
const accept = route({
  tags: ["Sign-in"],
  method: "post",
  operationId: "acceptInvitation",
  path: "/auth/invitation",
  "x-permission": "public",
  "x-audit": "user.password_set",
  summary: "Accept an invitation",
  description:
    "For invited users. The call sets the password; the link works once. The user then signs in.",
  request: { body: body(AcceptBody) },
  responses: { 200: json(Accepted, "The password is set"), ...failing(422, 429) },
});

const check = route({
  tags: ["Sign-in"],
  method: "post",
  operationId: "checkInvitation",
  path: "/auth/invitation/check",
  "x-permission": "public",
  "x-audit": false,
  summary: "Check the link of an invitation",
  description:
    "For invited users, before they choose a password. The call changes nothing. The token is in the body, so that no log of addresses contains it.",
  request: { body: body(CheckBody) },
  responses: { 200: json(Checked, "The link works"), ...failing(422, 429) },
});

/** Routes that invite users by e-mail or by a link. */
export function invitationRoutes(deps: InviteDeps) {
  return newRouter("framework")
    .openapi(read, async (c) => {
      const found = await findInvitation(deps.db, c.req.valid("param").username.toLowerCase());
      const invitation = found
        ? {
          created_by: found.createdBy,
          email: found.email,
          expires_at: found.expiresAt.toISOString(),
          is_expired: found.expiresAt <= deps.clock.now(),
        }
        : null;
      return c.json({ invitation }, 200);
    })
    .openapi(invite, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      const { language } = c.var;
      const made = await inviteUser(deps, { username, by: c.var.actor, language });
      c.header("Cache-Control", "no-store");
      const { expiresAt, sentTo, ...rest } = made;
      return c.json({ expires_at: expiresAt.toISOString(), sent_to: sentTo, ...rest }, 200);
    })
    .openapi(revoke, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      await revokeInvitation(deps, { username, by: c.var.actor });
      return c.json({ ok: true as const }, 200);
    })
    .openapi(check, async (c) => {
      const { address } = c.var;
      const { token } = c.req.valid("json");
      c.header("Cache-Control", "no-store");
      return c.json(await checkInvitation(deps, { token, address }), 200);
    })
    .openapi(accept, async (c) => {
      const { token, password } = c.req.valid("json");
      const { address } = c.var;
      const username = await acceptInvitation(deps, { token, password, address });
      return c.json({ username }, 200);
    });
}
