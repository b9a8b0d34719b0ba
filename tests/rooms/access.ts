import { openRoom } from "#tests/support/room.ts";

await openRoom("features/access", "workers");
