DROP TRIGGER IF EXISTS tasks_notify ON "tasks";
--> statement-breakpoint
DROP TRIGGER IF EXISTS live_notify ON "live_events";
--> statement-breakpoint
DROP FUNCTION IF EXISTS passerelle_notify();
