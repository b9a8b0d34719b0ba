CREATE FUNCTION passerelle_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify(TG_ARGV[0], '');
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tasks_notify AFTER INSERT ON "tasks" FOR EACH STATEMENT EXECUTE FUNCTION passerelle_notify('passerelle_tasks');
--> statement-breakpoint
CREATE TRIGGER live_notify AFTER INSERT ON "live_events" FOR EACH STATEMENT EXECUTE FUNCTION passerelle_notify('passerelle_live');
