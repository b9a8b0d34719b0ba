import { Alert, Button, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { TOUCHES } from "./section_store.ts";
import { SECTION } from "./section_words.ts";

const LOOK_MS = 10_000;

/**
 * Note that stored settings are not active yet, with a button to reload them. `scope` is the name of a
 * section, or `all`.
 */
export function Pending({ scope }: { scope: string }) {
  const words = useWords(SECTION);
  const may = useMay();
  // Readers without the right to live events need polling to see a reload.
  const { data } = useRead("/admin/config", {}, { everyMs: LOOK_MS });
  const reload = useChange(async () => {
    await api.POST("/admin/reload", { params: { query: { scope } } });
    toast(words.reloaded);
  }, TOUCHES);
  const waiting =
    data?.sections.filter((it) => !it.in_force && (scope === "all" || it.name === scope)) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Alert color="yellow" title={words.pendingTitle} icon={<Icon name="warning" />} role="status">
      <Text size="sm">
        {words.pendingHint} {waiting.map((it) =>
          it.name
        ).join(", ")}
      </Text>
      <ProblemNote problem={reload.error} />
      {may("settings:reload") && (
        <Button
          mt="xs"
          size="compact-sm"
          variant="default"
          loading={reload.isPending}
          leftSection={<Icon name="retry" />}
          onClick={() => reload.mutate(undefined)}
        >
          {words.reload}
        </Button>
      )}
    </Alert>
  );
}
