import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Health } from "./health.tsx";
import { Quarantine } from "./quarantine.tsx";
import { SubmissionList } from "./sendings.tsx";
import { StatusesTold } from "./statuses_told.tsx";
import { StoppedWork } from "./stopped_work.tsx";
import { Webhooks } from "./webhooks.tsx";
import { PLATFORM_PARTS } from "../parts.ts";
import { PLATFORM } from "./words.ts";

/** Page of the PA: its health and blocked exchanges. */
export default function Platform() {
  const words = useWords(PLATFORM);
  const contents = {
    health: <Health />,
    stuck: <SubmissionList />,
    statusesTold: <StatusesTold />,
    quarantine: <Quarantine />,
    tasks: <StoppedWork />,
    webhooks: <Webhooks />,
  };
  const parts = PLATFORM_PARTS.parts.map(({ name, ...it }) => ({
    ...it,
    label: words[name],
    content: contents[name],
  }));
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} page={PLATFORM_PARTS.page} parts={parts} />
    </Page>
  );
}
