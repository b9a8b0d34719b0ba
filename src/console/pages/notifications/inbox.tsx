import { Box, Button, Group, Stack, Switch, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { toPlainReason } from "../../components/plain_reason.ts";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { RowProblems, useRowChange } from "../../components/row_change.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { ALL_RULES, isOn } from "./rules.tsx";
import { UsualRules } from "./usual_rules.tsx";
import { NOTIFICATIONS } from "./words.ts";
import { readPage } from "../../components/read_page.ts";

const SIZE = 25;

export function Inbox() {
  const words = useWords(NOTIFICATIONS);
  const { moment } = useFormats();
  const may = useMay();
  const [params, setParams] = useSearchParams();
  const unread = params.get("unread") === "true";
  const page = readPage(params);
  const inbox = useRead("/api/inbox", {
    query: { page, pageSize: SIZE, ...unread && { unread: "true" } },
  }, { keep: true });
  const mark = useRowChange(
    (id: string) => api.POST("/api/inbox/{id}/read", { params: { path: { id } } }),
    ["/api/inbox"],
  );
  const markAll = useChange(() => api.POST("/api/inbox/read"), ["/api/inbox", "/api/home"]);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Switch
          label={words.unreadOnly}
          checked={unread}
          onChange={(it) => setParams(it.currentTarget.checked ? { unread: "true" } : {})}
        />
        {(inbox.data?.unread ?? 0) > 0 && (
          <Button
            variant="default"
            leftSection={<Icon name="check" size={14} />}
            loading={markAll.isPending}
            onClick={() => markAll.mutate(undefined)}
          >
            {words.markAllRead}
          </Button>
        )}
      </Group>
      <RowProblems of={mark} />
      <ProblemNote problem={markAll.error} />
      <Loaded of={inbox}>
        {({ messages, total, totalIsCapped }) => (
          <>
            <Records
              label={words.inbox}
              rows={messages}
              keyOf={(it) => it.id}
              empty={unread
                ? <Empty icon="notifications" title={words.noUnread} />
                : may("templates:read")
                ? <NoMessage />
                : <Empty icon="notifications" title={words.empty} hint={words.emptyHint} />}
              columns={[
                {
                  key: "subject",
                  label: words.subject,
                  cell: (it) => (
                    <>
                      <Text size="sm" fw={it.readAt === null ? 700 : 400}>{it.subject}</Text>
                      {it.partner && <Text size="sm">{it.partner}</Text>}
                      {it.statusReason && !it.message.includes(it.statusReason) && (
                        <Text size="sm" c="dimmed" className="ps-lines" lineClamp={2}>
                          {toPlainReason(it.statusReason)}
                        </Text>
                      )}
                      <Text size="sm" c="dimmed" className="ps-lines" miw={{ base: 0, sm: 200 }}>
                        {it.message === it.statusLabel ? "" : it.message}
                      </Text>
                    </>
                  ),
                },
                {
                  key: "invoice",
                  label: words.invoice,
                  cell: (it) => (
                    <Box miw={{ base: 0, sm: 110 }}>
                      <InvoiceLink id={it.invoice} label={it.number} />
                    </Box>
                  ),
                },
                { key: "when", label: words.when, cell: (it) => moment(it.createdAt) },
                {
                  key: "read",
                  label: "",
                  cell: (it) =>
                    it.readAt === null
                      ? (
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          loading={mark.isAtWork(it.id)}
                          onClick={() => mark.run(it.id)}
                        >
                          {words.markRead}
                        </Button>
                      )
                      : <Text size="sm" c="dimmed">{words.read}</Text>,
                },
              ]}
            />
            <Pager
              page={page}
              size={SIZE}
              total={total}
              isCapped={totalIsCapped}
              onPage={(it) => setParams({ ...unread && { unread: "true" }, page: String(it) })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** Empty inbox of a reader of the rules, who can turn on alerts while no rule is on. */
function NoMessage() {
  const words = useWords(NOTIFICATIONS);
  const may = useMay();
  const { data } = useRead("/api/config/templates", ALL_RULES);
  const isSilent = data !== undefined && !data.templates.some(isOn);
  return (
    <Empty
      icon="notifications"
      title={words.empty}
      hint={isSilent ? words.noAlerts : words.emptyHint}
    >
      {isSilent && data.templates.length === 0 && may("templates:write")
        ? <UsualRules label={words.turnOn} />
        : (
          <Button component={Link} href="/notifications/rules" variant="default">
            {isSilent ? words.turnOn : words.toRules}
          </Button>
        )}
    </Empty>
  );
}
