DROP TABLE "opened_pools";
