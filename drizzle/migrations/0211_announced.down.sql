alter table "lifecycle_events" drop column "announced";
