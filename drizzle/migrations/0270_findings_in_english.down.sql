DROP INDEX "findings_by_message_en";
