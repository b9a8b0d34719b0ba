drop index tasks_stopped;
--> statement-breakpoint
drop index tasks_suspect;
--> statement-breakpoint
create index tasks_suspect on tasks (run_at, id) where deaths > 0;
--> statement-breakpoint
alter table tasks drop column suspect, drop column alone;
