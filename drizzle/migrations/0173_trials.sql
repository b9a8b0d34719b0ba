-- A task that was in hand when a process died is a suspect; only a death while it had a process to itself counts against it.
alter table tasks add column suspect boolean not null default false, add column alone boolean not null default false;
--> statement-breakpoint
update tasks set suspect = true where deaths > 0;
--> statement-breakpoint
drop index tasks_suspect;
--> statement-breakpoint
create index tasks_suspect on tasks (run_at, id) where suspect;
--> statement-breakpoint
create index tasks_stopped on tasks (id) where state in ('dead', 'poisoned');
