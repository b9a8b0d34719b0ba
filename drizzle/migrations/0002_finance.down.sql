alter table invoices
  drop column tax_currency,
  drop column tax_total,
  drop column vat_on_receipt,
  drop column settled_amount,
  drop column deposited_at
