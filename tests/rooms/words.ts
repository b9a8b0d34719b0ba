import { openRoom } from "#tests/support/room.ts";

await openRoom("domain", "invoice_page", "kernel", "schematron", "xml");
