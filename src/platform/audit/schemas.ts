import { z } from "@hono/zod-openapi";
import { counted, FROM_TO, inOrder, pageQuery } from "#src/http/list.ts";
import { moment } from "#src/http/wire.ts";

const filter = z.string().trim().min(1).max(200).optional();
/** Several values, repeated: names of objects contain commas. */
const repeated = z.preprocess(
  (given) => given === undefined ? undefined : [given].flat(),
  z.array(z.string().trim().min(1).max(200)).max(200).optional(),
);
const several = (description: string, example: string) =>
  repeated.openapi({
    type: "array",
    items: { type: "string" },
    param: { style: "form", explode: true },
    description,
    example: [example],
  });
export const AuditQuery = inOrder(
  pageQuery().extend({
    actor: filter.openapi({ description: "Only actions of this user", example: "admin" }),
    event: filter.openapi({
      description: "Only this event, or all events with this prefix",
      example: "user",
    }),
    target: filter.openapi({ description: "Only actions on this object", example: "mdurand" }),
    actorPart: several(
      "Only actions of users whose name contains one of these texts, in any case and with or without accents. Unlike `actor`, it reads up to 5 s",
      "durand",
    ),
    orActor: several("With `actorPart`: actions of these users, too", "admin"),
    targetPart: several(
      "Only actions on objects whose name contains one of these texts, in any case and with or without accents. Unlike `target`, it reads up to 5 s",
      "R425",
    ),
    orTarget: several("With `targetPart`: actions on these objects, too", "mail"),
    signIns: z.enum(["true", "false"]).default("true").openapi({
      description: "False leaves out successful sign-ins and sign-outs",
    }),
    from: moment().optional().openapi({
      description: "Start of the period, inclusive",
      example: "2026-11-01T00:00:00Z",
    }),
    to: moment().optional().openapi({
      description: "End of the period, exclusive",
      example: "2026-12-01T00:00:00Z",
    }),
  }),
  FROM_TO,
);

export const AuditList = z.object({
  entries: z.array(
    z.object({
      seq: z.int().openapi({ description: "Number of the entry in the chain", example: 1 }),
      at: z.iso.datetime().openapi({
        description: "Time of the action",
        example: "2026-11-20T09:30:00.000Z",
      }),
      actor: z.string().openapi({ description: "User who acted", example: "admin" }),
      address: z.string().nullable().openapi({
        description: "Address of the caller; null for the product itself",
        example: "192.0.2.10",
      }),
      event: z.string().openapi({
        example: "user.changed",
        description: "Action, as `<object>.<action>`",
      }),
      target: z.string().nullable().openapi({
        description: "Object of the action",
        example: "mdurand",
      }),
      before: z.unknown().openapi({
        description: "State before the action",
        example: { "active": true },
      }),
      after: z.unknown().openapi({
        description: "State after the action",
        example: { "active": false },
      }),
      hash: z.string().openapi({
        description: "SHA-256 of the entry and of the previous hash",
        example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      }),
    }).openapi({ description: "Audit entry" }),
  ).openapi({ description: "Entries of this page" }),
  ...counted,
}).openapi("AuditList", { description: "Page of audit entries" });

export const AuditChain = z.object({
  entries: z.int().openapi({
    description: "Number of entries with an intact chain",
    example: 4711,
  }),
  broken_at: z.int().nullable().openapi({
    description:
      "`seq` of the first changed, removed or inserted entry; null when the chain is intact",
  }),
}).openapi("AuditChain", { description: "Integrity of the audit trail" });
