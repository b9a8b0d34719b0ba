ALTER TABLE "pa_breakers" RENAME TO "breakers";
--> statement-breakpoint
ALTER TABLE "breakers" RENAME CONSTRAINT "pa_breakers_pkey" TO "breakers_pkey";
--> statement-breakpoint
CREATE TABLE "paces" (
	"name" text PRIMARY KEY NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"taken" integer NOT NULL
);
