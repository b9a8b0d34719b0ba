import { z } from "@hono/zod-openapi";
import { counted, FROM_TO, inOrder, pageQuery } from "#src/http/list.ts";
import { moment } from "#src/http/wire.ts";

const filter = z.string().trim().min(1).max(200).optional();
export const AuditQuery = inOrder(
  pageQuery().extend({
    actor: filter,
    event: filter.openapi({ description: "An event or the beginning of several", example: "user" }),
    target: filter,
    from: moment().optional(),
    to: moment().optional().openapi({ description: "Exclusive" }),
  }),
  FROM_TO,
);

export const AuditList = z.object({
  entries: z.array(z.object({
    seq: z.int(),
    at: z.iso.datetime(),
    actor: z.string(),
    address: z.string().nullable(),
    event: z.string().openapi({ example: "user.changed" }),
    target: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    hash: z.string().openapi({ description: "SHA-256 of the entry and of the hash before it" }),
  })),
  ...counted,
}).openapi("AuditList");

export const AuditChain = z.object({
  entries: z.int().openapi({ description: "Entries that follow, each from the one before" }),
  broken_at: z.int().nullable().openapi({
    description: "`seq` of the first that was changed, removed or put in; null: the chain holds",
  }),
}).openapi("AuditChain");
