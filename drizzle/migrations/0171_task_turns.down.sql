drop index tasks_in_turn;
--> statement-breakpoint
alter table tasks drop column turn_of, drop column turn_in;
