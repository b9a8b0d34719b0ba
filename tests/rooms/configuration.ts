import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "framework/configuration",
  "framework/catalogue",
  "framework/menus",
  "framework/screens",
  "definitions",
  "config",
);
