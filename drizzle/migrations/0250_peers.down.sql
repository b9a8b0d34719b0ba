DROP TABLE "paces";
--> statement-breakpoint
DELETE FROM "breakers" WHERE "name" LIKE 'connector:%';
--> statement-breakpoint
ALTER TABLE "breakers" RENAME CONSTRAINT "breakers_pkey" TO "pa_breakers_pkey";
--> statement-breakpoint
ALTER TABLE "breakers" RENAME TO "pa_breakers";
