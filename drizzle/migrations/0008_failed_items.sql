create index run_items_failed on run_items (run_id) where state in ('blocked', 'send_failed', 'undecided', 'rejected', 'conflict', 'failed', 'aborted')
--> statement-breakpoint
create index run_items_unchanged on run_items (doc, dct, kco, run_id) where state = 'unchanged'
