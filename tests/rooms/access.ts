import { openRoom } from "#tests/support/room.ts";

await openRoom("platform/access", "workers");
