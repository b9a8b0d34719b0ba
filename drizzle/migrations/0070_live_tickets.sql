CREATE TABLE "live_tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"authorization" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
