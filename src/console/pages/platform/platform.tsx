import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Directory } from "./directory.tsx";
import { Health } from "./health.tsx";
import { Quarantine } from "./quarantine.tsx";
import { Sendings } from "./sendings.tsx";
import { StoppedWork } from "./stopped_work.tsx";
import { Webhooks } from "./webhooks.tsx";
import { PLATFORM } from "./words.ts";

/** The PA: how it is, what stands still between it and us, and who can be reached through it. */
export default function Platform() {
  const words = useWords(PLATFORM);
  const read = ["invoices:read"];
  const parts = [
    { path: "/platform/state", label: words.health, needs: read, content: <Health /> },
    { path: "/platform/sendings", label: words.stuck, needs: read, content: <Sendings /> },
    { path: "/platform/quarantine", label: words.quarantine, needs: read, content: <Quarantine /> },
    {
      path: "/platform/tasks",
      label: words.tasks,
      needs: ["invoices:run"],
      content: <StoppedWork />,
    },
    { path: "/platform/webhooks", label: words.webhooks, needs: read, content: <Webhooks /> },
    {
      path: "/platform/directory",
      label: words.directory,
      needs: ["directory:read"],
      content: <Directory />,
    },
  ];
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} parts={parts} />
    </Page>
  );
}
