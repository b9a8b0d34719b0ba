CREATE TABLE "applications" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"pool" text DEFAULT 'default' NOT NULL,
	"row_offset" integer DEFAULT 0 NOT NULL,
	"row_limit" integer DEFAULT 1000 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"dashboard" integer DEFAULT 0 NOT NULL,
	"theme" text DEFAULT 'passerelle' NOT NULL,
	CONSTRAINT "applications_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "modules" (
	"id" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"description" text NOT NULL,
	"description_fr" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "themes" (
	"name" text NOT NULL,
	"key" text NOT NULL,
	"position" integer NOT NULL,
	"light" text NOT NULL,
	"dark" text NOT NULL,
	CONSTRAINT "themes_name_key_pk" PRIMARY KEY("name","key")
);
