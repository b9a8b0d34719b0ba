CREATE INDEX "job_runs_working" ON "job_runs" USING btree ("lock_key","id") WHERE status = 'running' and phase <> 'queued';
