import { openRoom } from "#tests/support/room.ts";

await openRoom("console/daily");
