import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "gateway/submission",
  "gateway/connections",
  "gateway/directory",
  "gateway/evidence",
  "sandbox",
);
