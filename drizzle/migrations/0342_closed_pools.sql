ALTER TABLE "opened_pools" ADD COLUMN "closed" boolean DEFAULT false NOT NULL;
