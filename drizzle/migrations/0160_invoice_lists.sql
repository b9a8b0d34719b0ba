-- A name as it is sorted: lower case without accents, by the bytes of its letters, so that every server sorts alike.
ALTER TABLE "invoices" ADD COLUMN "customer_sort" text COLLATE "C";--> statement-breakpoint
UPDATE "invoices" SET
	"customer_sort" = left(lower(regexp_replace(normalize("customer_name", NFD), '[\u0300-\u036f]+', '', 'g')), 100),
	"search_text" = regexp_replace(regexp_replace("search_text", '[[:punct:][:space:]]+', ' ', 'g'), '(\S{100})\S+', '\1', 'g');--> statement-breakpoint
DROP INDEX "invoices_by_date", "invoices_by_status", "invoices_by_number", "invoices_by_customer", "invoices_search";--> statement-breakpoint
CREATE INDEX "invoices_by_dct" ON "invoices" ("dct","id");--> statement-breakpoint
CREATE INDEX "invoices_by_kco" ON "invoices" ("kco","id");--> statement-breakpoint
CREATE INDEX "invoices_by_number" ON "invoices" ("ubl_number","id");--> statement-breakpoint
CREATE INDEX "invoices_by_issue_date" ON "invoices" ("issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_due_date" ON "invoices" ("due_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_type" ON "invoices" (left("invoice_type", 100),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_total_ht" ON "invoices" ("total_ht","id");--> statement-breakpoint
CREATE INDEX "invoices_by_total_ttc" ON "invoices" ("total_ttc","id");--> statement-breakpoint
CREATE INDEX "invoices_by_amount_due" ON "invoices" ("amount_due","id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer_ref" ON "invoices" (left("customer_ref", 100),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "invoices" ("customer_sort","id");--> statement-breakpoint
CREATE INDEX "invoices_by_currency" ON "invoices" (left("currency", 100),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" ("status","id");--> statement-breakpoint
CREATE INDEX "invoices_by_created" ON "invoices" ("created_at","id");--> statement-breakpoint
CREATE INDEX "invoices_of_status" ON "invoices" ("status","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_direction" ON "invoices" ("direction","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_company" ON "invoices" ("kco","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_dct" ON "invoices" ("dct","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_words" ON "invoices" USING gin (array_to_tsvector(array_remove(string_to_array("search_text", ' '), '')));--> statement-breakpoint
CREATE TABLE "invoice_counts" (
	"direction" text NOT NULL,
	"status" text NOT NULL,
	"slot" integer NOT NULL,
	"n" bigint NOT NULL,
	CONSTRAINT "invoice_counts_direction_status_slot_pk" PRIMARY KEY("direction","status","slot")
) WITH (fillfactor = 50);
--> statement-breakpoint
-- Each connection counts in rows of its own, so that two transactions never wait for each other's count.
CREATE FUNCTION "count_invoices"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), count(*) FROM added GROUP BY direction, status
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), sum(n) FROM (
				SELECT direction, status, 1 AS n FROM added UNION ALL SELECT direction, status, -1 FROM removed
			) it GROUP BY direction, status HAVING sum(n) <> 0
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
	ELSE
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), -count(*) FROM removed GROUP BY direction, status
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "invoices_counted_in" AFTER INSERT ON "invoices" REFERENCING NEW TABLE AS added
	FOR EACH STATEMENT EXECUTE FUNCTION "count_invoices"();--> statement-breakpoint
CREATE TRIGGER "invoices_counted_over" AFTER UPDATE ON "invoices" REFERENCING OLD TABLE AS removed NEW TABLE AS added
	FOR EACH STATEMENT EXECUTE FUNCTION "count_invoices"();--> statement-breakpoint
CREATE TRIGGER "invoices_counted_out" AFTER DELETE ON "invoices" REFERENCING OLD TABLE AS removed
	FOR EACH STATEMENT EXECUTE FUNCTION "count_invoices"();--> statement-breakpoint
INSERT INTO "invoice_counts" ("direction", "status", "slot", "n")
	SELECT "direction", "status", 0, count(*) FROM "invoices" GROUP BY "direction", "status";
