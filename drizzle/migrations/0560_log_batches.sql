CREATE TABLE "log_batches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"process" text NOT NULL,
	"entries" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"levels" text[] NOT NULL,
	"events" text[] NOT NULL,
	"lines" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "log_batches" ALTER COLUMN "lines" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE INDEX "log_batches_age" ON "log_batches" USING btree ("last_at");
--> statement-breakpoint
INSERT INTO "log_batches" ("process", "entries", "first_at", "last_at", "levels", "events", "lines")
SELECT "process", count(*), min("at"), max("at"), array_agg(DISTINCT "level"), array_agg(DISTINCT "event"),
	string_agg((CASE WHEN "request_id" IS NULL THEN '{}' ELSE jsonb_build_object('call', "request_id") END || jsonb_build_object('line',
		jsonb_build_object('time', to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'level', "level", 'event', "event")
		|| "fields"))::text, E'\n' ORDER BY "id")
FROM (SELECT *, (row_number() OVER (PARTITION BY "process" ORDER BY "id") - 1) / 500 AS "part" FROM "log_entries") "numbered"
GROUP BY "process", "part" ORDER BY min("id");
