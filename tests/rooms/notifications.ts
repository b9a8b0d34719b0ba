import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "gateway/notifications",
  "gateway/mail",
  "gateway/invitations",
  "platform/live",
  "platform/logs",
);
