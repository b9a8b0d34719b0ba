-- What is kept of histories, sendings, status messages, flows set aside, deliveries, tasks and downloads is kept in English and, where
-- that differs, in French, as runs do. What was kept before this is shown as it is.
alter table "lifecycle_events" add column "message_fr" text;--> statement-breakpoint
alter table "submissions" add column "last_error_fr" text;--> statement-breakpoint
alter table "submission_attempts" add column "detail_fr" text;--> statement-breakpoint
alter table "status_messages" add column "last_error_fr" text;--> statement-breakpoint
alter table "pa_quarantine" add column "reason_fr" text;--> statement-breakpoint
alter table "notification_deliveries" add column "last_error_fr" text;--> statement-breakpoint
alter table "tasks" add column "last_error_fr" text;--> statement-breakpoint
alter table "downloads" add column "error_fr" text;
