import { Box } from "@mantine/core";
import { useRoute } from "wouter";
import { Page } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { Conversation } from "./conversation.tsx";
import { Conversations } from "./conversations.tsx";
import { NEW } from "./turns.ts";
import { ASSISTANT } from "./words.ts";

/** Page with the reader's conversations and the open one. */
export default function Assistant() {
  const words = useWords(ASSISTANT);
  const [, parameters] = useRoute("/assistant/:id");
  const id = parameters?.id ?? NEW;
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
