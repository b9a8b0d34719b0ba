import { Button, Stack } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { RULE_WORDS } from "./rule_words.ts";

/** Statuses that need a person, by the name of their rule. */
const USUAL = {
  invalid: "9907",
  failed: "9904",
  rejected: "213,501",
  refused: "210",
  disputed: "207",
} as const;
const USUAL_NAMES = Object.keys(USUAL) as readonly (keyof typeof USUAL)[];

/** Creates the rules that most companies want: messages in the console to everybody who reads invoices, no e-mails. */
export function UsualRules() {
  const words = useWords(RULE_WORDS);
  const language = useLanguage();
  const create = useChange(async () => {
    for (const it of USUAL_NAMES) {
      const properties = {
        description: words.usual.description,
        enabled: "Y",
        "trigger.status": USUAL[it],
        "channel.portal": "Y",
        "channel.email": "N",
        language,
      };
      const body = { name: words.usual[it], type: "notification-rule", properties } as const;
      await api.POST("/api/config/template", { body });
    }
    toast(words.usual.created);
  }, ["/api/config", "/api/templates"]);
  return (
    <Stack align="center" gap="xs">
      <Button loading={create.isPending} onClick={() => create.mutate(undefined)}>
        {words.usual.create}
      </Button>
      <ProblemNote problem={create.error} />
    </Stack>
  );
}
