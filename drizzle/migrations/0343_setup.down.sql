DROP TABLE "schema_revisions";
--> statement-breakpoint
DROP TABLE "installations";
