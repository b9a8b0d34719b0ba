ALTER TABLE "users" DROP COLUMN "claims";
