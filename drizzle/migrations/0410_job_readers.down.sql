DROP INDEX "job_runs_open_children";
--> statement-breakpoint
ALTER TABLE "job_steps" DROP COLUMN "traits";
--> statement-breakpoint
ALTER TABLE "job_runs" DROP COLUMN "param_readers";
--> statement-breakpoint
ALTER TABLE "job_runs" DROP COLUMN "ends_with_parent";
