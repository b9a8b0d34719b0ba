import { Box, Button } from "@mantine/core";
import { Link, useRoute } from "wouter";
import { facts } from "../../api/facts.ts";
import { useMay } from "../../api/me.tsx";
import { Empty, Page } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { Conversation } from "./conversation.tsx";
import { Conversations } from "./conversations.tsx";
import { NEW } from "./turns.ts";
import { ASSISTANT } from "./words.ts";

/** Page with the reader's conversations and the open one. */
export default function Assistant() {
  const words = useWords(ASSISTANT);
  const [, parameters] = useRoute("/assistant/:id");
  const may = useMay();
  const id = parameters?.id ?? NEW;
  if (!facts.model && id === NEW) {
    return (
      <Page title={words.title} hint={words.hint}>
        <Empty icon="assistant" title={words.notSetUp} hint={words.notSetUpHint}>
          {may("setup:write") && (
            <Button component={Link} href="/connections/model">{words.setUpModel}</Button>
          )}
        </Empty>
        <Conversations open={id} />
      </Page>
    );
  }
  return (
    <Page title={words.title} hint={words.hint}>
      <div className="ps-talk">
        <Box {...id !== NEW && { visibleFrom: "md" }} className="ps-talks">
          <Conversations open={id} />
        </Box>
        <Conversation id={id} />
      </div>
    </Page>
  );
}
