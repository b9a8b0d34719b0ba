import { openRoom } from "#tests/support/room.ts";

await openRoom(
  "features/configuration",
  "features/catalogue",
  "features/menus",
  "features/screens",
  "definitions",
  "config",
);
