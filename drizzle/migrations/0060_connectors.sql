CREATE TABLE "saved_queries" (
	"key" text PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"sql" text NOT NULL,
	"updated_by" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_usage" (
	"username" text NOT NULL,
	"day" date NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "upload_usage_username_day_pk" PRIMARY KEY("username","day")
);
--> statement-breakpoint
CREATE TABLE "inbound_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"modified" bigint,
	"path" text NOT NULL,
	"run_id" uuid,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_files_content" ON "inbound_files" USING btree ("source","sha256");
--> statement-breakpoint
CREATE TABLE "downloads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"error_code" text,
	"started_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "downloads_by_date" ON "downloads" USING btree ("created_at");
--> statement-breakpoint
CREATE TABLE "schedule_runs" (
	"template" text NOT NULL,
	"kind" text NOT NULL,
	"cron" text NOT NULL,
	"last_due" timestamp with time zone NOT NULL,
	CONSTRAINT "schedule_runs_template_kind_pk" PRIMARY KEY("template","kind")
);
