-- Invoices by their suppliers' names, as `nameKey` has them.
CREATE INDEX "invoices_by_supplier" ON "invoices" ((left(lower(regexp_replace(normalize("supplier_name", NFD), '[\u0300-\u036f]+', '', 'g')), 100) COLLATE "C"),"id");
