import { openRoom } from "#tests/support/room.ts";

await openRoom("gateway/notifications", "gateway/mail", "platform/live", "platform/logs");
