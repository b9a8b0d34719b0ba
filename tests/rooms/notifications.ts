import { openRoom } from "#tests/support/room.ts";

await openRoom("features/notifications", "features/mail", "features/live", "features/logs");
