import { openRoom } from "#tests/support/room.ts";

await openRoom("gateway/validation", "conformance", "golden");
