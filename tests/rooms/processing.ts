import { openRoom } from "#tests/support/room.ts";

await openRoom("features/processing", "features/extraction", "features/runs");
