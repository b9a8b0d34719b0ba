DELETE FROM "log_entries" WHERE "at" <= (SELECT max("last_at") FROM "log_batches");
--> statement-breakpoint
INSERT INTO "log_entries" ("at", "level", "process", "event", "request_id", "fields")
SELECT ("line" ->> 'time')::timestamptz, "line" ->> 'level', "process", "line" ->> 'event', "call", "line" - '{time,level,event}'::text[]
FROM (
	SELECT "id", "n", "process", "it" -> 'line' AS "line", coalesce("it" ->> 'call', "it" #>> '{line,requestId}') AS "call"
	FROM "log_batches", LATERAL unnest(string_to_array("lines", E'\n')) WITH ORDINALITY AS "of"("text", "n"),
		LATERAL (SELECT "text"::jsonb AS "it") "parsed"
) "unfolded" ORDER BY "id", "n";
--> statement-breakpoint
DROP TABLE "log_batches";
