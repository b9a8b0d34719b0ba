import { openRoom } from "#tests/support/room.ts";

await openRoom("features/connectors", "features/pools", "features/dictionary", "sql");
