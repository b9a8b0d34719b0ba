-- A user's language is their choice, or left to the browser: "en" was a default that nothing asked.
alter table "users" alter column "language" drop default;--> statement-breakpoint
alter table "users" alter column "language" drop not null;--> statement-breakpoint
update "users" set "language" = null where "language" = 'en';--> statement-breakpoint
-- What a run says is kept in both languages; what was said before this is shown as it is.
alter table "runs" add column "error_fr" text;--> statement-breakpoint
alter table "run_items" add column "message_fr" text;--> statement-breakpoint
alter table "run_logs" add column "message_fr" text;
