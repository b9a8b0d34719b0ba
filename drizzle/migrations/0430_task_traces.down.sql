alter table tasks drop column trace;
