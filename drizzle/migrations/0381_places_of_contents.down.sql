ALTER TABLE "stored_contents" DROP COLUMN "place";
