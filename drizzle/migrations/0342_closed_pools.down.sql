DELETE FROM "opened_pools" WHERE "closed";
--> statement-breakpoint
ALTER TABLE "opened_pools" DROP COLUMN "closed";
