-- A task at whose hand processes died is set aside with its evidence: state 'poisoned'.
alter table tasks
  add column holder text,
  add column deaths integer not null default 0,
  add column evidence jsonb not null default '[]',
  add column told_at timestamptz;
--> statement-breakpoint
create index tasks_suspect on tasks (run_at, id) where deaths > 0;
