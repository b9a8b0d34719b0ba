-- Order of invoices by their total, in which credit notes are negative.
create index invoices_by_signed_total on invoices ((case when invoice_type in ('81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '502', '503', '532') then -abs(total_ttc) else total_ttc end), id)
