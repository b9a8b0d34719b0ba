-- A rule that could not be evaluated is told apart from one that failed; so far only the sentence said it.
alter table "findings" add column "evaluated" boolean default true not null;--> statement-breakpoint
update "findings" set "evaluated" = false where "message_en" like 'The rule % could not be evaluated (%';
