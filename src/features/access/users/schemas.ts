import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { CLAIM_NAME, MOST_CLAIMS } from "#src/domain/permission/claims.ts";
import { LANGUAGES } from "#src/kernel/language.ts";

const text = (max: number) => z.string().max(max);
const names = z.array(z.string().min(1).max(63)).max(500);
const codes = z.array(z.string().min(1).max(300)).max(2_000);

const LANGUAGE = "Language of answers to this user; null leaves it to `Accept-Language`";

export const Ok = z.object({ ok: z.literal(true) }).openapi("Ok");
export const ok = { ok: true as const };

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
export const Claims = z.record(z.string(), z.union([scalar, z.array(scalar)]));
const claims = z.record(
  z.string().regex(CLAIM_NAME),
  z.union([scalar, z.array(scalar).max(500)]),
).refine((it) => Object.keys(it).length <= MOST_CLAIMS, `at most ${MOST_CLAIMS} claims`);

const User = z.object({
  username: z.string(),
  display_name: z.string(),
  email: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable().openapi({ description: LANGUAGE }),
  active: z.boolean(),
  claims: Claims,
  roles: z.array(z.string()),
  permissions: z.array(z.string()).openapi({ description: "Effective: what all roles give" }),
  has_password: z.boolean().openapi({ description: "False for accounts of the identity provider" }),
  last_sign_in: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
}).openapi("User");
export const UserDetail = User.extend({
  contributions: z.array(
    z.object({ permission: z.string(), roles: z.array(z.string()) }).openapi("Contribution"),
  )
    .openapi({ description: "Each permission with the roles it comes from" }),
}).openapi("UserDetail");
export const UserList = z.object({ users: z.array(User), ...windowed }).openapi("UserList");

const userFields = {
  display_name: text(200).optional(),
  email: z.email().max(254).nullable().optional().openapi({
    description: "`null`: none any more",
  }),
  language: z.enum(LANGUAGES).nullable().optional().openapi({ description: LANGUAGE }),
  roles: names.optional(),
  active: z.boolean().optional(),
  claims: claims.optional(),
};
export const NewUserBody = z.object({
  username: text(256).min(1),
  password: z.string().optional(),
  ...userFields,
}).strict()
  .openapi("NewUser");
export const UserBody = z.object(userFields).strict().openapi("UserChange");
export const PasswordBody = z.object({ password: z.string() }).strict().openapi("NewPassword");
export const UserPath = z.object({ username: text(256) });

export const Role = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  built_in: z.boolean(),
  inherits_from: z.array(z.string()),
  permissions: z.array(z.string()).openapi({ description: "Granted by the role itself" }),
  members: z.int(),
  effective_permissions: z.array(z.string()).openapi({ description: "Granted and inherited" }),
}).openapi("Role");
const RoleTemplate = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  permissions: z.array(z.string()),
}).openapi("RoleTemplate");
export const RoleList = z.object({
  roles: z.array(Role),
  templates: z.array(RoleTemplate).openapi({ description: "Starting points for new roles" }),
  ...windowed,
}).openapi("RoleList");

const roleFields = {
  display_name: text(200).optional(),
  description: text(2_000).optional(),
  inherits_from: names.optional(),
  permissions: codes.optional(),
};
export const NewRoleBody = z.object({ name: text(200).min(1), ...roleFields }).strict().openapi(
  "NewRole",
);
export const RoleBody = z.object(roleFields).strict().openapi("RoleChange");
export const RolePath = z.object({ name: text(200) });

export const ExplainQuery = z.object({ user: text(256).min(1), code: text(300).min(1) });
export const PermissionExplained = z.object({
  user: z.string(),
  code: z.string(),
  allowed: z.boolean(),
  active: z.boolean(),
  grant: z.string().nullable(),
  chains: z.array(z.array(z.string())),
  granting: z.array(z.string()),
}).openapi("PermissionExplained");
export const WhatIfBody = z.object({ roles: names, user: text(256).min(1).optional() }).strict()
  .openapi("WhatIf");
export const Prospect = z.object({
  permissions: z.array(z.string()),
  gained: z.array(z.string()),
  lost: z.array(z.string()),
}).openapi("Prospect");
