import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "gateway/finance",
  "gateway/first_steps",
  "gateway/home",
  "gateway/invoices",
  "gateway/renderings",
  "platform/templates",
  "platform/files",
  "platform/outbound_limits",
);
