ALTER TABLE "templates" ADD COLUMN "secrets" text[] DEFAULT '{}'::text[] NOT NULL;
--> statement-breakpoint
-- Until now the name alone said what is a secret; those of the catalogue need no list.
UPDATE "templates" SET "secrets" = ARRAY(
  SELECT key FROM jsonb_object_keys("properties") AS key
  WHERE key ~* '(password|passphrase|secret|token|api[-_]?key|private[-_]?key)$'
    AND NOT ("type" = 'system' AND key IN ('token', 'clientSecret', 'smtpPassword', 'sftpPassword', 'sftpPrivateKey'))
  ORDER BY key
);
