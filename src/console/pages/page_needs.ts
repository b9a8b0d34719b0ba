import { OPENS_SETTINGS } from "./settings/parts.ts";

/** Permissions of which the reader needs one to see a page, by its path; without any, everybody sees it. */
export const PAGE_NEEDS = {
  "/": [],
  "/invoices": ["invoices:read"],
  "/process": ["invoices:run"],
  "/validate": ["invoices:run"],
  "/directory": ["directory:read"],
  "/received": ["invoices:read"],
  "/finance": ["invoices:read"],
  "/platform": ["invoices:read", "invoices:run"],
  "/notifications": [],
  "/apps": ["menu:*:*"],
  "/assistant": ["ai:chat"],
  "/connections": ["templates:read"],
  "/company": ["templates:read"],
  "/jobs": ["jobs:read"],
  "/people": ["users:read", "audit:read", "logs:read", "license:read"],
  "/settings": OPENS_SETTINGS,
} as const satisfies Readonly<Record<string, readonly string[]>>;

const READS_INVOICES = ["invoices:read"];

/** Permissions of which the reader needs one to see a part of a page, by its path; without any, all see it. */
export const PART_NEEDS: Readonly<Record<string, readonly string[]>> = {
  "/platform/state": READS_INVOICES,
  "/platform/sendings": READS_INVOICES,
  "/platform/statuses": READS_INVOICES,
  "/platform/quarantine": READS_INVOICES,
  "/platform/tasks": ["invoices:run"],
  "/platform/webhooks": READS_INVOICES,
  "/notifications/rules": ["templates:read"],
  "/notifications/deliveries": ["notifications:test"],
  "/people/users": ["users:read"],
  "/people/roles": ["users:read"],
  "/people/check": ["users:read"],
  "/people/audit": ["audit:read"],
  "/people/logs": ["logs:read"],
  "/people/licence": ["license:read"],
};
