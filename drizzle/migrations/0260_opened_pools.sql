CREATE TABLE "opened_pools" (
	"name" text PRIMARY KEY NOT NULL,
	"opened_by" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL
);
