-- Time, author and comment of the mark; null for marks that are older.
alter table invoices
  add column handled_at timestamptz,
  add column handled_by text,
  add column handled_comment text
