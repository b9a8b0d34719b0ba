CREATE TABLE "installations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"copied_at" timestamp with time zone,
	"started_at" timestamp with time zone
);
--> statement-breakpoint
INSERT INTO "installations" DEFAULT VALUES;
--> statement-breakpoint
CREATE TABLE "schema_revisions" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" text NOT NULL,
	"fingerprint" text NOT NULL,
	"product" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
