import { z } from "@hono/zod-openapi";

const Key = z.record(z.string(), z.unknown()).openapi({
  description: "Values of the columns the screen's `key` names",
  example: { order_no: "SO-00000001" },
});
const Holder = z.object({
  username: z.string().openapi({ description: "Username", example: "mdurand" }),
  display_name: z.string().openapi({ description: "Display name", example: "Marie Durand" }),
}).openapi("LockHolder", { description: "User who holds a lock" });
export const LockBody = z.object({
  key: Key.openapi({
    description: "Key of the record: the columns that `key` of the screen names",
    example: { "order_no": "SO-00000001" },
  }),
  takeover: z.boolean().default(false).openapi({
    description:
      "True to take over the lock of another user. This requires the permission that the screen names, by default `users:write`",
  }),
}).strict().openapi("LockRequest", { description: "Record to lock" });
export const Lock = z.object({
  key: z.record(z.string(), z.string()).openapi({
    description: "Key of the record",
    example: { order_no: "SO-00000001" },
  }),
  token: z.string().openapi({
    description: "Token that releases the lock from another session",
    example: "3q2-7wAAb0tYVfPq9Q1xYw",
  }),
  holder: Holder,
  acquired_at: z.string().openapi({
    description: "Time when the lock was acquired",
    example: "2026-01-31T09:00:00.000Z",
  }),
  expires_at: z.string().openapi({
    description: "Expiry of the lock without renewal",
    example: "2026-01-31T09:02:00.000Z",
  }),
}).openapi("RecordLock", { description: "Lock of a record" });
const HeldLock = Lock.omit({ token: true }).openapi("HeldLock", {
  description: "Lock of a record, without its token",
});
export const Locks = z.object({
  locks: z.array(HeldLock).openapi({ description: "Locks, latest first" }),
  total: z.int().openapi({ description: "Number of entries", example: 1 }),
}).openapi("RecordLocks", { description: "Locks of a screen" });
export const ReleaseBody = z.object({
  key: Key.optional().openapi({
    description: "Key of the record: the columns that `key` of the screen names",
    example: { "order_no": "SO-00000001" },
  }),
  token: z.string().max(100).optional().openapi({
    description: "Token of the lock; the session that holds the lock needs none",
    example: "3q2-7wAAb0tYVfPq9Q1xYw",
  }),
})
  .strict()
  .openapi("LockRelease", { description: "Record to unlock" });
export const ReleaseQuery = z.object({
  key: z.string().max(10_000).optional().openapi({
    description: "Key of the record as JSON, for clients that cannot send a body",
    example: '{"order_no":"SO-00000001"}',
  }),
  token: z.string().max(100).optional().openapi({
    description: "Token of the lock, for clients that cannot send a body",
    example: "3q2-7wAAb0tYVfPq9Q1xYw",
  }),
});
export const Released = z.object({
  ok: z.literal(true).openapi({ description: "Always true" }),
  released: z.boolean().openapi({
    description: "False when the record was not locked",
    example: true,
  }),
})
  .openapi("LockReleased", { description: "Result of releasing a lock" });
