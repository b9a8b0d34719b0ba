import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { translateFor } from "#src/http/errors.ts";
import { needEverything } from "#src/http/guard.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import type { Spool } from "#src/ports/spool.ts";
import { backup } from "./backup.ts";
import { Examination } from "./schemas.ts";

const TAGS = { tags: ["Database"], method: "get" as const };

const examination = route({
  ...TAGS,
  operationId: "examineInstallation",
  path: "/api/setup/doctor",
  "x-permission": "setup:read",
  summary: "Examine the installation",
  description: "For operators. Each part of the installation has a state and a recommended action.",
  responses: { 200: json(Examination, "Parts of the installation with their states") },
});
const copy = route({
  ...TAGS,
  operationId: "backUpDatabase",
  path: "/api/setup/backup",
  "x-permission": "setup:write",
  summary: "Back up the database",
  description:
    "For operators with `*`. The backup is consistent and contains lines of JSON for `cli restore`; secrets are encrypted and passwords hashed. Calls to an embedded database wait meanwhile.",
  responses: {
    200: {
      description: "Backup as lines of JSON",
      content: { "application/x-ndjson": { schema: { type: "string" as const } } },
    },
    ...failing(429),
  },
});

type RunningRoutesDeps = Pick<Deps, "clock" | "db" | "examine" | "settings" | "vault"> & {
  readonly schema: DatabaseSchema;
  readonly spool: Spool;
};

/** Returns the routes of `cli backup` and `cli doctor`: an embedded database belongs to the process that runs. */
export function runningRoutes(deps: RunningRoutesDeps) {
  const { run: alone } = newSemaphore({
    limit: 1,
    waiting: 0,
    full: () => say`A backup is under way; try again`,
  });
  return newRouter("framework")
    .openapi(examination, async (c) => {
      const items = [];
      for await (const { what, state, found, advice } of deps.examine()) {
        items.push({
          what: translateFor(what, c),
          state,
          found: translateFor(say`${found}`, c),
          advice: advice ? translateFor(advice, c) : null,
        });
      }
      return c.json({ items }, 200);
    })
    .openapi(copy, async (c) => {
      needEverything(c.var.actor);
      const { size, read } = await alone(async () => {
        const spooled = await deps.spool.write(async (write) => void await backup(deps, write));
        const after = { bytes: spooled.size };
        await recordAudit(deps, {
          actor: c.var.actor,
          event: "backup.made",
          target: "database",
          after,
        })
          .catch(async (error) => {
            await spooled.discard();
            throw error;
          });
        return spooled;
      });
      const headers = { "content-type": "application/x-ndjson", "content-length": String(size) };
      return c.body(read(), 200, headers) as never;
    });
}
