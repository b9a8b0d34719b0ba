import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { translateFor } from "#src/http/errors.ts";
import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { type AuditEntry, recordAudit } from "#src/platform/audit/mod.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import type { LicenseState } from "#src/ports/license.ts";

const License = z.object({
  status: z.enum(["valid", "expired", "invalid", "absent"]).openapi({
    description: "Validity of the license",
    example: "valid",
  }),
  reason: z.string().nullable().openapi({
    description: "Reason why the license is not valid; null for a valid one",
    example: null,
  }),
  id: z.string().nullable().openapi({
    description: "Identifier of the license",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  issued_at: z.iso.datetime().nullable().openapi({
    description: "Issue date of the license",
    example: "2026-11-20T09:30:00.000Z",
  }),
  expires_at: z.iso.datetime().nullable().openapi({
    description: "Expiry date of the license",
    example: "2027-11-20T09:30:00.000Z",
  }),
  days_left: z.int().nullable().openapi({
    description: "Days until the expiry",
    example: 365,
  }),
  payload: z.object({
    customer: z.string().openapi({
      description: "Name of the licensee",
      example: "Helios",
    }),
    edition: z.string().openapi({ description: "Edition of the product", example: "professional" }),
    features: z.array(z.string()).openapi({
      description: "Licensed features",
      example: ["invoicing"],
    }),
    limits: z.record(z.string(), z.number()).openapi({
      description: "Licensed limits by name",
      example: { users: 50 },
    }),
  }).nullable().openapi({ description: "Content of the license; null without one" }),
}).openapi("License", { description: "License with its validity; the key is never shown" });

const TAGS = { tags: ["License"] };
const responses = {
  200: json(License, "License with its validity; the key is not shown"),
};

const show = route({
  ...TAGS,
  method: "get",
  operationId: "getLicence",
  path: "/api/license",
  "x-permission": "license:read",
  summary: "Read the license",
  description: "For administrators of the license.",
  responses,
});
const reload = route({
  ...TAGS,
  method: "post",
  operationId: "reloadLicence",
  "x-audit": "license.reloaded",
  path: "/admin/license/reload",
  "x-permission": "license:write",
  summary: "Reload the license",
  description:
    "For administrators of the license. The key comes from `SERVICE_LICENSE_KEY` or from the file that `SERVICE_LICENSE_FILE` names.",
  responses,
});

type RoutesDeps = Pick<Deps, "clock" | "db" | "licence" | "live">;

export function licenseRoutes(deps: RoutesDeps) {
  deps.live.subscribe((event) => {
    if (event.topic === TOPIC) deps.licence.reload().catch(() => {}); // the next request reports the problem
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

function wire(state: LicenseState, { clock }: Pick<Deps, "clock">, c: Context<HttpEnv>) {
  const left = state.expiresAt && (state.expiresAt.getTime() - clock.now().getTime()) / 86_400_000;
  return {
    status: state.status,
    reason: state.reason ? translateFor(state.reason, c) : null,
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

function summary({ status, id, expiresAt }: LicenseState) {
  return { status, id, expires_at: expiresAt?.toISOString() };
}
