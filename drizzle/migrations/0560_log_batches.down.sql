DROP TABLE "log_batches";
