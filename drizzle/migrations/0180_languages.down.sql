alter table "run_logs" drop column "message_fr";--> statement-breakpoint
alter table "run_items" drop column "message_fr";--> statement-breakpoint
alter table "runs" drop column "error_fr";--> statement-breakpoint
update "users" set "language" = 'en' where "language" is null;--> statement-breakpoint
alter table "users" alter column "language" set not null;--> statement-breakpoint
alter table "users" alter column "language" set default 'en';
