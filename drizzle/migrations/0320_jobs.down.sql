CREATE TABLE "schedule_runs" (
	"template" text NOT NULL,
	"kind" text NOT NULL,
	"cron" text NOT NULL,
	"last_due" timestamp with time zone NOT NULL,
	CONSTRAINT "schedule_runs_template_kind_pk" PRIMARY KEY("template","kind")
);
--> statement-breakpoint
INSERT INTO "schedule_runs" ("template", "kind", "cron", "last_due")
	SELECT DISTINCT ON ("job") substring("job" from '^template\.(.*)\.[^.]*$'), substring("job" from '[^.]*$'), "cron", "last_due"
	FROM "job_schedules" WHERE "job" ~ '^template\..*\.[^.]*$' ORDER BY "job", "last_due" DESC;
--> statement-breakpoint
DROP TABLE "job_schedules";
--> statement-breakpoint
DROP TABLE "job_logs";
--> statement-breakpoint
DROP TABLE "job_rows";
--> statement-breakpoint
DROP TABLE "job_steps";
--> statement-breakpoint
DROP TABLE "job_runs";
