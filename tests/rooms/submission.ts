import { openRoom } from "#tests/support/room.ts";

await openRoom("gateway/submission", "gateway/directory", "gateway/evidence", "sandbox");
