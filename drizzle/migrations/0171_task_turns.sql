-- Tasks that wait for their turn: of their person, and of what that person began.
alter table tasks add column turn_of text, add column turn_in text;
--> statement-breakpoint
create index tasks_in_turn on tasks (queue, turn_of, turn_in, run_at, id)
  where state = 'ready' and relayed_at is null and turn_in is not null;
--> statement-breakpoint
-- Sendings under way take turns like those to come.
update tasks set turn_of = coalesce(runs.started_by, ''), turn_in = runs.id::text
from submissions join runs on runs.id = submissions.run_id
where tasks.name = 'submit_invoice' and tasks.state = 'ready' and submissions.id::text = tasks.payload->>'submissionId';
