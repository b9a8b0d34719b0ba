import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "features/invoices",
  "features/renderings",
  "features/templates",
  "features/files",
  "features/peers",
);
