import { Button } from "@mantine/core";
import { download } from "../../api/client.ts";
import { useAsk } from "../../api/queries.ts";
import { useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { BULK } from "./bulk_words.ts";

/** Button that downloads the PDF and the XML of the selected invoices as a ZIP file. */
export function DownloadSelected({ selected }: { selected: ReadonlySet<string> }) {
  const words = useWords(BULK);
  const work = useAsk(() =>
    download("/api/invoices/bulk-download", undefined, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ids: [...selected] }),
    })
  );
  return (
    <Button
      size="xs"
      variant="default"
      className="ps-by-icon"
      aria-label={words.download}
      leftSection={<Icon name="download" size={14} />}
      loading={work.isPending}
      title={words.downloadHint}
      onClick={() =>
        work.mutate(undefined, { onError: (problem) => toast(problemText(problem), "failed") })}
    >
      {words.download}
    </Button>
  );
}
