DROP TABLE "log_entries";
