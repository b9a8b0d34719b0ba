CREATE SEQUENCE "template_versions";
--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "version" bigint DEFAULT nextval('template_versions') NOT NULL;
--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;
