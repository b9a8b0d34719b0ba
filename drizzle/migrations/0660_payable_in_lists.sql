-- Nothing is counted or noted while it is counted and noted anew.
LOCK TABLE "invoices" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
-- UNTDID 1001, the credit notes of EN 16931: nobody pays one, nor an invoice of which nothing is left; an amount that is not known
-- may be owed.
CREATE FUNCTION "is_payable"("invoice_type" text, "amount_due" numeric) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT coalesce(invoice_type, '') NOT IN ('81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '502', '503', '532')
		AND coalesce(amount_due > 0, true)
$$;
--> statement-breakpoint
TRUNCATE "invoice_group_counts", "invoice_values";--> statement-breakpoint
DROP INDEX "invoice_group_counts_of_dct";--> statement-breakpoint
ALTER TABLE "invoice_group_counts" DROP CONSTRAINT "invoice_group_counts_kco_dct_direction_status_slot_pk";--> statement-breakpoint
ALTER TABLE "invoice_group_counts" ADD COLUMN "payable" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "invoice_group_counts" ADD CONSTRAINT "invoice_group_counts_kco_dct_direction_status_payable_slot_pk"
	PRIMARY KEY("kco","dct","direction","status","payable","slot");--> statement-breakpoint
CREATE INDEX "invoice_group_counts_of_dct" ON "invoice_group_counts" ("dct","direction","status","payable");--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_invoices"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), count(*) FROM added GROUP BY direction, status
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
		INSERT INTO "invoice_group_counts" AS c ("kco", "dct", "direction", "status", "payable", "slot", "n")
			SELECT kco, dct, direction, status, is_payable(invoice_type, amount_due) AS payable, pg_backend_pid(), count(*)
			FROM added GROUP BY kco, dct, direction, status, payable
			ON CONFLICT ("kco", "dct", "direction", "status", "payable", "slot") DO UPDATE SET n = c.n + excluded.n;
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), sum(n) FROM (
				SELECT direction, status, 1 AS n FROM added UNION ALL SELECT direction, status, -1 FROM removed
			) it GROUP BY direction, status HAVING sum(n) <> 0
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
		INSERT INTO "invoice_group_counts" AS c ("kco", "dct", "direction", "status", "payable", "slot", "n")
			SELECT kco, dct, direction, status, payable, pg_backend_pid(), sum(n) FROM (
				SELECT kco, dct, direction, status, is_payable(invoice_type, amount_due) AS payable, 1 AS n FROM added
				UNION ALL SELECT kco, dct, direction, status, is_payable(invoice_type, amount_due), -1 FROM removed
			) it GROUP BY kco, dct, direction, status, payable HAVING sum(n) <> 0
			ON CONFLICT ("kco", "dct", "direction", "status", "payable", "slot") DO UPDATE SET n = c.n + excluded.n;
	ELSE
		INSERT INTO "invoice_counts" AS c ("direction", "status", "slot", "n")
			SELECT direction, status, pg_backend_pid(), -count(*) FROM removed GROUP BY direction, status
			ON CONFLICT ("direction", "status", "slot") DO UPDATE SET n = c.n + excluded.n;
		INSERT INTO "invoice_group_counts" AS c ("kco", "dct", "direction", "status", "payable", "slot", "n")
			SELECT kco, dct, direction, status, is_payable(invoice_type, amount_due) AS payable, pg_backend_pid(), -count(*)
			FROM removed GROUP BY kco, dct, direction, status, payable
			ON CONFLICT ("kco", "dct", "direction", "status", "payable", "slot") DO UPDATE SET n = c.n + excluded.n;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- Companies and types are counted, which says more.
CREATE OR REPLACE FUNCTION "values_of_invoice"("it" "invoices") RETURNS TABLE ("sort_by" text, "value" text) LANGUAGE sql IMMUTABLE AS $$
	SELECT v.sort_by, v.value FROM (VALUES
		('invoiceType', left(it.invoice_type, 100)),
		('currency', left(it.currency, 100)),
		('customerRef', left(it.customer_ref, 100)),
		('customerName', it.customer_sort COLLATE "default"),
		('supplierName', left(lower(regexp_replace(normalize(it.supplier_name, NFD), '[\u0300-\u036f]+', '', 'g')), 100))
	) v (sort_by, value) WHERE v.value IS NOT NULL
$$;
--> statement-breakpoint
DROP INDEX "invoice_values_in_order";--> statement-breakpoint
DROP INDEX "invoice_values_of_names";--> statement-breakpoint
ALTER TABLE "invoice_values" ADD COLUMN "payable" boolean NOT NULL;--> statement-breakpoint
CREATE INDEX "invoice_values_in_order" ON "invoice_values" ("sort_by","value","direction","kco","dct","payable");--> statement-breakpoint
CREATE INDEX "invoice_values_of_names" ON "invoice_values" ("sort_by",("value" COLLATE "C"),"direction","kco","dct","payable")
	WHERE "sort_by" IN ('customerName', 'supplierName');--> statement-breakpoint
CREATE INDEX "invoice_values_of_company" ON "invoice_values" ("kco","sort_by","value","direction","dct","payable")
	WHERE "sort_by" NOT IN ('customerName', 'supplierName');--> statement-breakpoint
CREATE INDEX "invoice_values_of_names_of_company" ON "invoice_values" ("kco","sort_by",("value" COLLATE "C"),"direction","dct","payable")
	WHERE "sort_by" IN ('customerName', 'supplierName');--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_new_values"() RETURNS trigger LANGUAGE plpgsql
	SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
	INSERT INTO "invoice_values" ("sort_by", "value", "direction", "kco", "dct", "payable")
		SELECT * FROM (
			SELECT DISTINCT v.sort_by, v.value, i.direction, i.kco, i.dct, is_payable(i.invoice_type, i.amount_due) AS payable
			FROM added JOIN invoices i ON i.id = added.id CROSS JOIN LATERAL values_of_invoice(i) v
		) it WHERE NOT EXISTS (SELECT FROM invoice_values k WHERE k.sort_by = it.sort_by AND k.value = it.value
			AND k.direction = it.direction AND k.kco = it.kco AND k.dct = it.dct AND k.payable = it.payable);
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_changed_values"() RETURNS trigger LANGUAGE plpgsql
	SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
	is_payable boolean := is_payable(NEW.invoice_type, NEW.amount_due);
BEGIN
	INSERT INTO "invoice_values" ("sort_by", "value", "direction", "kco", "dct", "payable")
		SELECT it.sort_by, it.value, NEW.direction, NEW.kco, NEW.dct, is_payable FROM values_of_invoice(NEW) it
		WHERE NOT EXISTS (SELECT FROM invoice_values k WHERE k.sort_by = it.sort_by AND k.value = it.value
			AND k.direction = NEW.direction AND k.kco = NEW.kco AND k.dct = NEW.dct AND k.payable = is_payable);
	RETURN NULL;
END
$$;
--> statement-breakpoint
INSERT INTO "invoice_group_counts" ("kco", "dct", "direction", "status", "payable", "slot", "n")
	SELECT "kco", "dct", "direction", "status", is_payable("invoice_type", "amount_due") AS "payable", 0, count(*)
	FROM "invoices" GROUP BY "kco", "dct", "direction", "status", "payable";--> statement-breakpoint
INSERT INTO "invoice_values" ("sort_by", "value", "direction", "kco", "dct", "payable")
	SELECT DISTINCT v.sort_by, v.value, i.direction, i.kco, i.dct, is_payable(i.invoice_type, i.amount_due)
	FROM invoices i CROSS JOIN LATERAL values_of_invoice(i) v;--> statement-breakpoint
-- A status beside one of these orders is told by its index, without reading the invoices that have another.
CREATE INDEX "new_by_customer_ref" ON "invoices" ("direction",left("customer_ref", 100),"issue_date","id","status");--> statement-breakpoint
CREATE INDEX "new_by_customer" ON "invoices" ("direction","customer_sort","issue_date","id","status");--> statement-breakpoint
CREATE INDEX "new_by_supplier" ON "invoices"
	("direction",(left(lower(regexp_replace(normalize("supplier_name", NFD), '[\u0300-\u036f]+', '', 'g')), 100) COLLATE "C"),"issue_date","id","status");--> statement-breakpoint
-- From here on nobody reads invoices until the end.
DROP TRIGGER "invoices_values_over" ON "invoices";--> statement-breakpoint
CREATE TRIGGER "invoices_values_over"
	AFTER UPDATE OF direction, kco, dct, invoice_type, currency, customer_ref, customer_sort, supplier_name, amount_due ON "invoices"
	FOR EACH ROW EXECUTE FUNCTION "note_changed_values"();--> statement-breakpoint
DROP INDEX "invoices_by_customer_ref", "invoices_by_customer", "invoices_by_supplier";--> statement-breakpoint
ALTER INDEX "new_by_customer_ref" RENAME TO "invoices_by_customer_ref";--> statement-breakpoint
ALTER INDEX "new_by_customer" RENAME TO "invoices_by_customer";--> statement-breakpoint
ALTER INDEX "new_by_supplier" RENAME TO "invoices_by_supplier";
