ALTER TABLE "users" ADD COLUMN "claims" jsonb DEFAULT '{}'::jsonb NOT NULL;
