import { Button, Stack } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { RULE_WORDS } from "./rule_words.ts";

/** Button that creates the rules that most companies want, which send no e-mails. */
export function UsualRules({ label, variant = "filled" }: {
  label?: string;
  variant?: "default" | "filled";
}) {
  const words = useWords(RULE_WORDS);
  const create = useChange(async () => {
    await api.POST("/api/notifications/usual-rules");
    toast(words.usual.created);
  }, ["/api/config", "/api/templates"]);
  return (
    <Stack align="center" gap="xs">
      <Button variant={variant} loading={create.isPending} onClick={() => create.mutate(undefined)}>
        {label ?? words.usual.create}
      </Button>
      <ProblemNote problem={create.error} />
    </Stack>
  );
}
