import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { translated } from "#src/http/errors.ts";
import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { type AuditEntry, recordAudit } from "#src/features/audit/mod.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import type { LicenceState } from "#src/ports/licence.ts";

const License = z.object({
  status: z.enum(["valid", "expired", "invalid", "absent"]),
  reason: z.string().nullable(),
  id: z.string().nullable(),
  issued_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  days_left: z.int().nullable(),
  payload: z.object({
    customer: z.string(),
    edition: z.string(),
    features: z.array(z.string()),
    limits: z.record(z.string(), z.number()),
  }).nullable(),
}).openapi("License");

const TAGS = { tags: ["License"] };
const responses = {
  200: json(License, "The licence and how it was judged; never the key"),
};

const show = route({
  ...TAGS,
  method: "get",
  operationId: "getLicence",
  path: "/api/license",
  "x-permission": "license:read",
  summary: "The licence and whether it is valid",
  responses,
});
const reload = route({
  ...TAGS,
  method: "post",
  operationId: "reloadLicence",
  "x-audit": "license.reloaded",
  path: "/admin/license/reload",
  "x-permission": "license:write",
  summary:
    "Reads the key again, from SERVICE_LICENSE_KEY or the file SERVICE_LICENSE_FILE names, and verifies it",
  responses,
});

type Needs = Pick<Deps, "clock" | "db" | "licence" | "live">;

export function licenseRoutes(deps: Needs) {
  deps.live.subscribe((event) => {
    if (event.topic === TOPIC) deps.licence.reload().catch(() => {}); // the next question says what is wrong
  });
  return newRouter("framework")
    .openapi(show, async (c) => c.json(wire(await deps.licence.current(), deps, c), 200))
    .openapi(reload, async (c) => {
      const before = await deps.licence.current();
      const state = await deps.licence.reload();
      await deps.db.transaction(async (tx) => {
        await deps.live.publish(tx, {
          topic: TOPIC,
          type: "license.reloaded",
          data: { status: state.status },
          permission: "license:read",
        });
        const audit: AuditEntry = {
          actor: c.var.actor,
          event: "license.reloaded",
          before: summary(before),
          after: summary(state),
        };
        await recordAudit({ ...deps, db: tx }, audit);
      });
      return c.json(wire(state, deps, c), 200);
    });
}

const TOPIC = "license";

function wire(state: LicenceState, { clock }: Pick<Deps, "clock">, c: Context<HttpEnv>) {
  const left = state.expiresAt && (state.expiresAt.getTime() - clock.now().getTime()) / 86_400_000;
  return {
    status: state.status,
    reason: state.reason ? translated(state.reason, c) : null,
    id: state.id ?? null,
    issued_at: state.issuedAt?.toISOString() ?? null,
    expires_at: state.expiresAt?.toISOString() ?? null,
    days_left: left === undefined ? null : Math.floor(left),
    payload: state.payload
      ? {
        ...state.payload,
        features: [...state.payload.features],
        limits: { ...state.payload.limits },
      }
      : null,
  };
}

function summary({ status, id, expiresAt }: LicenceState) {
  return { status, id, expires_at: expiresAt?.toISOString() };
}
