alter table "findings" drop column "evaluated";
