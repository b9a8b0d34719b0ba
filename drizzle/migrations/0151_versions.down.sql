ALTER TABLE "roles" DROP COLUMN "version";
--> statement-breakpoint
ALTER TABLE "templates" DROP COLUMN "version";
--> statement-breakpoint
DROP SEQUENCE "template_versions";
