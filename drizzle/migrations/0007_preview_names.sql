alter table run_items add column number text
--> statement-breakpoint
alter table run_items add column customer text
