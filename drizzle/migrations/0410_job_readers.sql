ALTER TABLE "job_runs" ADD COLUMN "ends_with_parent" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "param_readers" jsonb DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "job_steps" ADD COLUMN "traits" jsonb DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE INDEX "job_runs_open_children" ON "job_runs" ("parent") WHERE parent is not null and status = 'running';
