import { openRoom } from "#tests/support/room.ts";

await openRoom("gateway/processing", "gateway/extraction", "gateway/runs");
