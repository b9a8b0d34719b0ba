import { Button } from "@mantine/core";
import { exportScreen } from "../../../api/export.ts";
import { useAsk } from "../../../api/queries.ts";
import { Icon } from "../../../components/icon.tsx";
import { problemText } from "../../../components/notes.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useWords } from "../../../i18n/language.ts";
import { APPS } from "../words.ts";
import type { Screen, ScreenQuery } from "./view.ts";

/** Button that exports the current view: filters, order and visible columns. */
export function Export(
  { screen: { app, id, export: offered }, asked }: { screen: Screen; asked: ScreenQuery },
) {
  const words = useWords(APPS);
  const { params, filters, sort, columns } = asked;
  const work = useAsk(() =>
    exportScreen(app, id, {
      params,
      ...filters && { filters },
      ...sort && { sort },
      ...offered?.columns === "visible" && { columns },
    })
  );
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      loading={work.isPending}
      onClick={() =>
        work.mutate(undefined, {
          onSuccess: (isCut) => isCut && toast(words.exportCut, "failed"),
          onError: (problem) => toast(problemText(problem), "failed"),
        })}
    >
      {words.export}
    </Button>
  );
}
