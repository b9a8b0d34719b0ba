-- Invoices below `next_item` have been given to workers; the run that was served longest ago has the next turn.
ALTER TABLE "runs" ADD COLUMN "next_item" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "served_at" timestamp with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
-- Tasks of the runs under way exist already.
UPDATE "runs" SET "next_item" = (SELECT count(*) FROM "run_items" WHERE "run_id" = "runs"."id");
--> statement-breakpoint
CREATE INDEX "runs_under_way" ON "runs" ("served_at") WHERE state = 'processing';
--> statement-breakpoint
CREATE INDEX "tasks_waiting" ON "tasks" ("name") WHERE state = 'ready';
