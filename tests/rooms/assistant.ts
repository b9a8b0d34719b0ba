import { openRoom } from "#tests/support/room.ts";

await openRoom("framework/assistant", "framework/chat", "framework/jobs", "platform/setup");
