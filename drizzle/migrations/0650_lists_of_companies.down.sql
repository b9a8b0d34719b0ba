DROP TRIGGER "invoices_values_in" ON "invoices";--> statement-breakpoint
DROP TRIGGER "invoices_values_over" ON "invoices";--> statement-breakpoint
DROP FUNCTION "note_new_values"();--> statement-breakpoint
DROP FUNCTION "note_changed_values"();--> statement-breakpoint
DROP FUNCTION "values_of_invoice"("invoices");--> statement-breakpoint
DROP TABLE "invoice_values";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_invoices"() RETURNS trigger LANGUAGE plpgsql AS $$
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
DROP TABLE "invoice_group_counts";
