-- Adds the words of the recorded lines to the search text, as `splitWords` splits them; at most 300 of an invoice.
update invoices set search_text = btrim(search_text || ' ' || it.words)
from (
  select found.invoice_id, array_to_string((array_agg(found.word order by found.seq))[1:300], ' ') as words
  from (
    select line.invoice_id, left(part.word, 100) as word, min(line.seq) as seq
    from invoice_lines line
      cross join lateral regexp_split_to_table(
        lower(regexp_replace(normalize(concat_ws(' ', line.description, line.item_id), NFD), '[\u0300-\u036f]+', '', 'g')),
        '[\s!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u303f]+'
      ) as part (word)
    where part.word <> ''
    group by line.invoice_id, left(part.word, 100)
  ) found
    join invoices known on known.id = found.invoice_id
  where found.word <> all (string_to_array(known.search_text, ' '))
  group by found.invoice_id
) it
where invoices.id = it.invoice_id
