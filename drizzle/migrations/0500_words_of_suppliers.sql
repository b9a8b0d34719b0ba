-- Invoices received are looked for by their suppliers as well: words as `wordsOf` makes them.
UPDATE "invoices" SET "search_text" = "search_text" || ' ' || regexp_replace(regexp_replace(lower(
	regexp_replace(normalize("supplier_name", NFD), '[\u0300-\u036f]+', '', 'g')
), '[[:punct:][:space:]]+', ' ', 'g'), '(\S{100})\S+', '\1', 'g')
WHERE "direction" = 'received' AND "supplier_name" IS NOT NULL;
