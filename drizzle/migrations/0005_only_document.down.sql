alter table runs drop column only_document
