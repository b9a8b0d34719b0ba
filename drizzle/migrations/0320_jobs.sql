CREATE TABLE "job_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"job" text NOT NULL,
	"definition" jsonb NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"phase" text,
	"trigger" text NOT NULL,
	"requested_by" text,
	"acting_as" text,
	"params" jsonb NOT NULL,
	"replay_of" uuid,
	"from_step" text,
	"parent" uuid,
	"awaited" boolean DEFAULT false NOT NULL,
	"scheduled_for" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"lock_key" text NOT NULL,
	"lock_limit" integer NOT NULL,
	"wake_at" timestamp with time zone,
	"failed_step" text,
	"error_code" text,
	"error" text,
	"error_fr" text,
	"log_lines" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "job_runs_of_job" ON "job_runs" USING btree ("job","id");
--> statement-breakpoint
CREATE INDEX "job_runs_by_status" ON "job_runs" USING btree ("status","id");
--> statement-breakpoint
CREATE INDEX "job_runs_open" ON "job_runs" USING btree ("lock_key","id") WHERE status = 'running';
--> statement-breakpoint
CREATE INDEX "job_runs_by_date" ON "job_runs" USING btree ("created_at","id");
--> statement-breakpoint
CREATE TABLE "job_steps" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"id" text NOT NULL,
	"section" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"row_count" integer,
	"output" jsonb,
	"needs" text[] DEFAULT '{}'::text[] NOT NULL,
	"progress" jsonb,
	"resting" boolean DEFAULT false NOT NULL,
	"error_code" text,
	"error" text,
	"error_fr" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "job_steps_run_id_position_pk" PRIMARY KEY("run_id","position"),
	CONSTRAINT "job_steps_run_id_job_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."job_runs"("id") ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE "job_rows" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"part" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "job_rows_run_id_position_part_pk" PRIMARY KEY("run_id","position","part"),
	CONSTRAINT "job_rows_run_id_job_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."job_runs"("id") ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE "job_logs" (
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"level" text NOT NULL,
	"step" text,
	"message" text NOT NULL,
	"message_fr" text,
	"data" jsonb,
	CONSTRAINT "job_logs_run_id_seq_pk" PRIMARY KEY("run_id","seq"),
	CONSTRAINT "job_logs_run_id_job_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."job_runs"("id") ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX "job_logs_by_date" ON "job_logs" USING btree ("at");
--> statement-breakpoint
CREATE TABLE "job_schedules" (
	"job" text NOT NULL,
	"cron" text NOT NULL,
	"last_due" timestamp with time zone NOT NULL,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_schedules_job_cron_pk" PRIMARY KEY("job","cron")
);
--> statement-breakpoint
INSERT INTO "job_schedules" ("job", "cron", "last_due") SELECT 'template.' || "template" || '.' || "kind", "cron", "last_due" FROM "schedule_runs";
--> statement-breakpoint
DROP TABLE "schedule_runs";
