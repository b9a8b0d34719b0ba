import { z } from "@hono/zod-openapi";
import { windowed, windowQuery } from "#src/http/list.ts";
import { CLAIM_NAME, MAX_CLAIMS } from "#src/domain/permission/claims.ts";
import { LANGUAGES } from "#src/kernel/language.ts";

const text = (max: number) => z.string().max(max);
const names = z.array(z.string().min(1).max(63)).max(500);
const codes = z.array(z.string().min(1).max(300)).max(2_000);

export const Ok = z.object({
  ok: z.literal(true).openapi({ description: "Always true" }),
}).openapi("Ok", { description: "Confirmation of a change" });
export const ok = { ok: true as const };

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
export const Claims = z.record(z.string(), z.union([scalar, z.array(scalar)]));
const claims = z.record(
  z.string().regex(CLAIM_NAME),
  z.union([scalar, z.array(scalar).max(500)]),
).refine((it) => Object.keys(it).length <= MAX_CLAIMS, `at most ${MAX_CLAIMS} claims`);

const User = z.object({
  username: z.string().openapi({ description: "Username", example: "mdurand" }),
  display_name: z.string().openapi({ description: "Display name", example: "Marie Durand" }),
  email: z.string().nullable().openapi({
    description: "E-mail address",
    example: "marie.durand@helios.example",
  }),
  language: z.enum(LANGUAGES).nullable().openapi({
    description: "Language of answers to the user; null follows `Accept-Language`",
  }),
  active: z.boolean().openapi({
    description: "False when the user cannot sign in",
    example: true,
  }),
  claims: Claims.openapi({
    description: "Attributes of the account, which queries can use as parameters",
    example: { company: "00001" },
  }),
  roles: z.array(z.string()).openapi({ description: "Names of the roles", example: ["clerk"] }),
  permissions: z.array(z.string()).openapi({
    description: "Permission codes of all roles",
    example: ["invoices:read"],
  }),
  has_password: z.boolean().openapi({
    description: "False for an account of an identity provider",
  }),
  last_sign_in: z.iso.datetime().nullable().openapi({
    description: "Time of the last sign-in; null before the first",
    example: "2026-11-20T09:30:00.000Z",
  }),
  created_at: z.iso.datetime().openapi({
    description: "Time of creation",
    example: "2026-11-20T09:30:00.000Z",
  }),
}).openapi("User", { description: "User account" });
export const UserDetail = User.extend({
  contributions: z.array(
    z.object({
      permission: z.string().openapi({ description: "Permission code", example: "invoices:read" }),
      roles: z.array(z.string()).openapi({
        description: "Roles that grant the permission",
        example: ["clerk"],
      }),
    }).openapi("Contribution", { description: "Permission with the roles that grant it" }),
  )
    .openapi({ description: "Permissions with the roles that grant them" }),
}).openapi("UserDetail", { description: "User with the origin of each permission" });
export const UserList = z.object({
  users: z.array(User).openapi({ description: "Users by name" }),
  ...windowed,
}).openapi("UserList", { description: "Users" });

const userFields = {
  display_name: text(200).optional().openapi({
    description: "Display name",
    example: "Marie Durand",
  }),
  email: z.email().max(254).nullable().optional().openapi({
    description: "E-mail address; null removes it",
    example: "marie.durand@helios.example",
  }),
  language: z.enum(LANGUAGES).nullable().optional().openapi({
    description: "Language of answers to the user; null follows `Accept-Language`",
  }),
  roles: names.optional().openapi({ description: "Names of the roles", example: ["clerk"] }),
  active: z.boolean().optional().openapi({
    description: "False to block the sign-in",
    example: true,
  }),
  claims: claims.optional().openapi({
    description: "Attributes of the account, which queries can use as parameters",
    example: { company: "00001" },
  }),
};
export const NewUserBody = z.object({
  username: text(256).min(1).openapi({
    description: "Username",
    example: "mdurand",
  }),
  password: z.string().optional().openapi({
    description: "Initial password; omit it for an account of an identity provider",
    example: "correct horse battery staple",
  }),
  ...userFields,
}).strict()
  .openapi("NewUser", { description: "User to create" });
export const UserBody = z.object(userFields).strict().openapi("UserChange", {
  description: "Fields to change; omitted fields keep their values",
});
export const PasswordBody = z.object({
  password: z.string().openapi({
    description: "New password",
    example: "another horse battery staple",
  }),
}).strict().openapi("NewPassword", { description: "New password of a user" });
export const UserListQuery = windowQuery().extend({
  search: z.string().max(200).optional().openapi({
    description:
      "Part of the username, the name or the e-mail address; case and accents do not matter",
    example: "durand",
  }),
  role: text(256).optional().openapi({
    description: "Only users who hold this role themselves, without roles that inherit from it",
    example: "clerk",
  }),
  active: z.enum(["true", "false"]).transform((it) => it === "true").optional().openapi({
    description: "`true`: only users who may sign in; `false`: only blocked users",
    example: "true",
  }),
});

export const UserPath = z.object({
  username: text(256).openapi({ description: "Username", example: "mdurand" }),
});

export const Role = z.object({
  name: z.string().openapi({ description: "Name of the role", example: "clerk" }),
  display_name: z.string().openapi({ description: "Display name", example: "Accounts clerk" }),
  description: z.string().openapi({
    description: "Purpose of the role",
    example: "Reads invoices and starts runs",
  }),
  built_in: z.boolean().openapi({
    description: "True for a built-in role, which cannot be changed",
    example: false,
  }),
  inherits_from: z.array(z.string()).openapi({
    description: "Roles whose permissions the role includes",
    example: ["viewer"],
  }),
  permissions: z.array(z.string()).openapi({
    description: "Permission codes that the role itself grants",
    example: ["invoices:run"],
  }),
  members: z.int().openapi({ description: "Number of users with the role", example: 3 }),
  effective_permissions: z.array(z.string()).openapi({
    description: "Own and inherited permission codes",
    example: ["invoices:read", "invoices:run"],
  }),
}).openapi("Role", { description: "Role with its permissions" });
const RoleTemplate = z.object({
  name: z.string().openapi({ description: "Name of the template", example: "clerk" }),
  display_name: z.string().openapi({ description: "Display name", example: "Accounts clerk" }),
  description: z.string().openapi({
    description: "Purpose of the role",
    example: "Reads invoices and starts runs",
  }),
  permissions: z.array(z.string()).openapi({
    description: "Permission codes",
    example: ["invoices:read"],
  }),
}).openapi("RoleTemplate", { description: "Template for a new role" });
export const RoleList = z.object({
  roles: z.array(Role).openapi({ description: "Roles by name" }),
  templates: z.array(RoleTemplate).openapi({ description: "Templates for new roles" }),
  ...windowed,
}).openapi("RoleList", { description: "Roles and role templates" });

const roleFields = {
  display_name: text(200).optional().openapi({
    description: "Display name",
    example: "Accounts clerk",
  }),
  description: text(2_000).optional().openapi({
    description: "Purpose of the role",
    example: "Reads invoices and starts runs",
  }),
  inherits_from: names.optional().openapi({
    description: "Roles whose permissions the role includes",
    example: ["viewer"],
  }),
  permissions: codes.optional().openapi({
    description: "Permission codes that the role itself grants",
    example: ["invoices:run"],
  }),
};
export const NewRoleBody = z.object({
  name: text(200).min(1).openapi({ description: "Name of the role", example: "clerk" }),
  ...roleFields,
}).strict().openapi(
  "NewRole",
  { description: "Role to create" },
);
export const RoleBody = z.object(roleFields).strict().openapi("RoleChange", {
  description: "Fields to change; omitted fields keep their values",
});
export const RolePath = z.object({
  name: text(200).openapi({ description: "Name of the role", example: "clerk" }),
});

export const ExplainQuery = z.object({
  user: text(256).min(1).openapi({
    description: "Username",
    example: "mdurand",
  }),
  code: text(300).min(1).openapi({
    description: "Permission code to explain",
    example: "sql:erp:orders",
  }),
});
export const PermissionExplained = z.object({
  user: z.string().openapi({ description: "Username", example: "mdurand" }),
  code: z.string().openapi({
    description: "Requested permission code",
    example: "sql:erp:orders",
  }),
  allowed: z.boolean().openapi({
    description: "True when the user has the permission now",
    example: true,
  }),
  active: z.boolean().openapi({ description: "False when the account is blocked", example: true }),
  grant: z.string().nullable().openapi({
    description: "Grant that matches the code; null without one",
    example: "sql:*:*",
  }),
  chains: z.array(z.array(z.string())).openapi({
    description: "Chains of inheritance from a role of the user to the role with the grant",
    example: [["clerk", "viewer"]],
  }),
  granting: z.array(z.string()).openapi({
    description: "Roles that grant the code; `admin` only when no other role does",
    example: ["viewer"],
  }),
}).openapi("PermissionExplained", { description: "Decision about one permission of a user" });
export const WhatIfBody = z.object({
  roles: names.openapi({ description: "Names of the roles", example: ["clerk"] }),
  user: text(256).min(1).optional().openapi({
    description: "User to compare with",
    example: "mdurand",
  }),
}).strict()
  .openapi("WhatIf", { description: "Roles to preview" });
export const Prospect = z.object({
  permissions: z.array(z.string()).openapi({
    description: "Permission codes that the roles grant",
    example: ["sql:*:*"],
  }),
  gained: z.array(z.string()).openapi({
    description: "Codes that the user would gain",
    example: ["sql:*:*"],
  }),
  lost: z.array(z.string()).openapi({
    description: "Codes that the user would lose",
    example: ["invoices:run"],
  }),
}).openapi("Prospect", { description: "Permissions of a set of roles" });
