CREATE TABLE "stored_files" (
	"path" text PRIMARY KEY NOT NULL,
	"folder" text NOT NULL,
	"content_id" uuid,
	"size" bigint DEFAULT 0 NOT NULL,
	"modified" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "stored_files_folder" ON "stored_files" ("folder");
--> statement-breakpoint
CREATE INDEX "stored_files_content" ON "stored_files" ("content_id");
--> statement-breakpoint
CREATE TABLE "stored_contents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"size" bigint,
	"begun_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "stored_chunks" (
	"content_id" uuid NOT NULL REFERENCES "stored_contents" ("id") ON DELETE CASCADE,
	"number" integer NOT NULL,
	"bytes" bytea NOT NULL,
	PRIMARY KEY ("content_id", "number")
);
--> statement-breakpoint
ALTER TABLE "stored_chunks" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "file_version" text;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "file_size" bigint;
