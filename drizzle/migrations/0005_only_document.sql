alter table runs add column only_document text
