alter table "downloads" drop column "error_fr";--> statement-breakpoint
alter table "tasks" drop column "last_error_fr";--> statement-breakpoint
alter table "notification_deliveries" drop column "last_error_fr";--> statement-breakpoint
alter table "pa_quarantine" drop column "reason_fr";--> statement-breakpoint
alter table "status_messages" drop column "last_error_fr";--> statement-breakpoint
alter table "submission_attempts" drop column "detail_fr";--> statement-breakpoint
alter table "submissions" drop column "last_error_fr";--> statement-breakpoint
alter table "lifecycle_events" drop column "message_fr";
