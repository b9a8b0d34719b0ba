update tasks set state = 'dead' where state = 'poisoned';
--> statement-breakpoint
drop index tasks_suspect;
--> statement-breakpoint
alter table tasks drop column holder, drop column deaths, drop column evidence, drop column told_at;
