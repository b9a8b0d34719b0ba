import { openRoom } from "#tests/support/room.ts";

await openRoom("features/submission", "features/directory", "features/evidence", "sandbox");
