DROP INDEX "job_runs_working";
