ALTER TABLE "job_runs" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;
