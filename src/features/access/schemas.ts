import { z } from "@hono/zod-openapi";

const text = (max: number) => z.string().max(max);
const names = z.array(z.string().min(1).max(63)).max(500);
const codes = z.array(z.string().min(1).max(300)).max(2_000);

export const LoginBody = z.object({ username: text(256), password: z.string() }).strict().openapi(
  "Login",
);
export const RefreshBody = z.object({ refresh_token: text(200).optional() }).strict().openapi(
  "Refresh",
);
export const TokenPair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().openapi({ description: "Seconds" }),
}).openapi("TokenPair");

export const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).openapi("Jwks");

export const CurrentUser = z.object({
  username: z.string(),
  display_name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
}).openapi("CurrentUser");
export const OwnPasswordBody = z.object({ current_password: z.string(), password: z.string() })
  .strict()
  .openapi("OwnPassword");

export const Ok = z.object({ ok: z.literal(true) }).openapi("Ok");
export const ok = { ok: true as const };

export const User = z.object({
  username: z.string(),
  display_name: z.string(),
  email: z.string().nullable(),
  language: z.enum(["en", "fr"]),
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
  language: z.enum(["en", "fr"]).optional(),
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
export const Revoked = z.object({ ok: z.literal(true), sessions: z.int() }).openapi("Revoked");

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
