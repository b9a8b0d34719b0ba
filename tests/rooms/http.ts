import { openRoom } from "#tests/support/room.ts";

await openRoom("features/telemetry", "http", "cli", "sdk");
