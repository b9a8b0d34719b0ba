CREATE TABLE "log_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"level" text NOT NULL,
	"process" text NOT NULL,
	"event" text NOT NULL,
	"request_id" text,
	"fields" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "log_entries_age" ON "log_entries" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "log_entries_of_request" ON "log_entries" USING btree ("request_id","id") WHERE request_id is not null;
