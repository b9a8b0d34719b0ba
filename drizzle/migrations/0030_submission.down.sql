DROP INDEX "tasks_of_submission";
--> statement-breakpoint
DROP INDEX "submissions_by_date";
--> statement-breakpoint
DROP TABLE "pa_breakers";
