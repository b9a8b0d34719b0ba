ALTER TABLE "templates" DROP COLUMN "secrets";
