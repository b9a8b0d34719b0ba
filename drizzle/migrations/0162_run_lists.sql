CREATE INDEX "runs_of_template" ON "runs" ("template","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_of_user" ON "runs" ("started_by","created_at","id");
