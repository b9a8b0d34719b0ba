-- Which events of a history were announced as a change of the status: what replaying a rule goes by. Unknown before this.
alter table "lifecycle_events" add column "announced" boolean;
