import { openRoom } from "#tests/support/room.ts";

await openRoom("platform/telemetry", "http", "cli", "sdk");
