import { z } from "@hono/zod-openapi";
import { LANGUAGES } from "#src/kernel/language.ts";

const text = (max: number) => z.string().max(max);
const names = z.array(z.string().min(1).max(63)).max(500);
const codes = z.array(z.string().min(1).max(300)).max(2_000);

const LANGUAGE = "Language of answers to this user; null leaves it to `Accept-Language`";

export const Ok = z.object({ ok: z.literal(true) }).openapi("Ok");
export const ok = { ok: true as const };

export const User = z.object({
  username: z.string(),
  display_name: z.string(),
  email: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable().openapi({ description: LANGUAGE }),
  active: z.boolean(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()).openapi({ description: "Effective: what all roles give" }),
  has_password: z.boolean().openapi({ description: "False for accounts of the identity provider" }),
  last_sign_in: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
}).openapi("User");
export const UserDetail = User.extend({
  contributions: z.array(z.object({ permission: z.string(), roles: z.array(z.string()) }))
    .openapi({ description: "Each permission with the roles it comes from" }),
}).openapi("UserDetail");
export const UserList = z.object({ users: z.array(User) }).openapi("UserList");

const userFields = {
  display_name: text(200).optional(),
  email: z.email().max(254).optional(),
  language: z.enum(LANGUAGES).nullable().optional().openapi({ description: LANGUAGE }),
  roles: names.optional(),
  active: z.boolean().optional(),
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
export const RoleTemplate = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  permissions: z.array(z.string()),
}).openapi("RoleTemplate");
export const RoleList = z.object({
  roles: z.array(Role),
  templates: z.array(RoleTemplate).openapi({ description: "Starting points for new roles" }),
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
