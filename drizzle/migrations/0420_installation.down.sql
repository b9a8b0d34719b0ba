ALTER TABLE "stored_contents" DROP COLUMN "installation";
--> statement-breakpoint
ALTER TABLE "installations" DROP COLUMN "home";
--> statement-breakpoint
ALTER TABLE "installations" DROP COLUMN "setup_token";
