drop index run_items_unchanged
--> statement-breakpoint
drop index run_items_failed
