ALTER TABLE "stored_contents" ADD COLUMN "place" text DEFAULT 'database' NOT NULL;
