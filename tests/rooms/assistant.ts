import { openRoom } from "#tests/support/room.ts";

await openRoom("features/assistant", "features/chat", "features/jobs", "features/setup");
