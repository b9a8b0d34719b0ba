CREATE INDEX "findings_by_message_en" ON "findings" (left("message_en", 100),"id");
