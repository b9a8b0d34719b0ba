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
