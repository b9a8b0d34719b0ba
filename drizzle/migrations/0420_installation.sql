ALTER TABLE "installations" ADD COLUMN "setup_token" text;
--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "home" text;
--> statement-breakpoint
ALTER TABLE "stored_contents" ADD COLUMN "installation" uuid;
