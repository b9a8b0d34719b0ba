import { Anchor, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { useRead } from "../../api/queries.ts";
import { useToldAs } from "../../components/invoices/told.tsx";
import { Empty } from "../../components/notes.tsx";
import { toPlainReason } from "../../components/plain_reason.ts";
import { readPage } from "../../components/read_page.ts";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

const SIZE = 50;

/** Status messages to the PA that are stuck or rejected; each is resolved on the page of its invoice. */
export function StatusesTold() {
  const words = useWords(PLATFORM);
  const { moment } = useFormats();
  const toldAs = useToldAs();
  const [params, setParams] = useSearchParams();
  const page = readPage(params);
  const messages = useRead("/api/status-messages", { query: { page, pageSize: SIZE } }, {
    keep: true,
  });
  return (
    <Loaded of={messages}>
      {({ messages, total, totalIsCapped }) => (
        <>
          {messages.length > 0 && <Text size="sm" c="dimmed" mb="xs">{words.toldHint}</Text>}
          <Records
            label={words.statusesTold}
            rows={messages}
            keyOf={(it) => it.id}
            empty={<Empty icon="check" title={words.noneStuck} hint={words.noneStuckHint} />}
            columns={[
              {
                key: "invoice",
                label: words.invoice,
                cell: (it) => (
                  <Anchor
                    component={Link}
                    href={`/${it.direction === "received" ? "received" : "invoices"}/${
                      encodeURIComponent(it.invoice)
                    }`}
                    size="sm"
                  >
                    {it.ublNumber ?? it.invoice}
                  </Anchor>
                ),
              },
              { key: "status", label: words.state, cell: (it) => toldAs(it) },
              { key: "by", label: words.by, isWide: true, cell: (it) => who(it.createdBy) },
              { key: "since", label: words.since, cell: (it) => moment(it.createdAt) },
              {
                key: "problem",
                label: words.problem,
                cell: ({ lastError }) =>
                  lastError && (
                    <Text size="sm" lineClamp={2} maw={420}>{toPlainReason(lastError)}</Text>
                  ),
              },
            ]}
          />
          <Pager
            page={page}
            size={SIZE}
            total={total}
            isCapped={totalIsCapped}
            onPage={(it) => setParams({ page: String(it) })}
          />
        </>
      )}
    </Loaded>
  );
}
