CREATE TABLE "ai_usage" (
	"username" text NOT NULL,
	"day" date NOT NULL,
	"tokens" bigint NOT NULL,
	CONSTRAINT "ai_usage_username_day_pk" PRIMARY KEY("username","day")
);
--> statement-breakpoint
ALTER TABLE "live_events" ADD COLUMN "audience" text;
