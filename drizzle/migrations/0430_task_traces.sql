alter table tasks add column trace text;
