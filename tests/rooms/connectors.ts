import { openRoom } from "#tests/support/room.ts";

await openRoom("framework/connectors", "framework/pools", "framework/dictionary", "platform/lists");
