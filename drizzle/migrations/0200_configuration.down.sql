DROP TABLE "configuration_sections";
--> statement-breakpoint
DROP TABLE "configuration_texts";
--> statement-breakpoint
DROP TABLE "configuration_revisions";
