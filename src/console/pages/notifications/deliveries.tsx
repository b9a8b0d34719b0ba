import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type RowChange, RowProblems, useRowChange } from "../../components/row_change.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { sentence, useFormats, useWords } from "../../i18n/language.ts";
import { dismissDelivery, type ListedDelivery, retryDelivery } from "./retry_delivery.ts";
import { RULE_WORDS } from "./rule_words.ts";
import { NOTIFICATIONS } from "./words.ts";

const SIZE = 50;
/** States, and three in which a delivery has an error although it did not fail. */
const TONES: Readonly<Record<ListedDelivery["state"] | "paused" | "retried" | "filed", Tone>> = {
  pending: "busy",
  paused: "warning",
  retried: "warning",
  sent: "good",
  filed: "warning",
  failed: "bad",
  dead: "bad",
};

function getState({ state, channel, error, attempts }: ListedDelivery): keyof typeof TONES {
  if (error === null) return state;
  if (state === "pending") return attempts === 0 ? "paused" : "retried";
  return state === "sent" && channel === "email" ? "filed" : state;
}

function State({ of }: { of: ListedDelivery }) {
  const { states } = useWords(NOTIFICATIONS);
  const state = getState(of);
  return (
    <span className="ps-number">
      <Mark tone={TONES[state]}>{states[state]}</Mark>
    </span>
  );
}

/** Recipient and channel. A long e-mail address breaks before its domain. */
function Recipient({ of: { channel, address } }: { of: ListedDelivery }) {
  const words = useWords(NOTIFICATIONS);
  const [name, ...domain] = address.split(/(?=@)/);
  return (
    <Box miw={{ base: 0, sm: 150 }}>
      <Text size="sm" className="ps-wrap">
        {channel === "portal" && address === "*"
          ? words.everybody
          : <>{name}{domain.length > 0 && <wbr />}{domain}</>}
      </Text>
      <Text size="xs" c="dimmed">{words.channels[channel]}</Text>
    </Box>
  );
}

/** Reason why a delivery was not sent yet, the times of its wait and the buttons for it. */
function Problem({ of, canSend, replay, dismissal }: {
  of: ListedDelivery;
  canSend: boolean | undefined;
  replay: RowChange;
  dismissal: RowChange;
}) {
  const words = useWords(NOTIFICATIONS);
  const ruleWords = useWords(RULE_WORDS);
  const { moment } = useFormats();
  const { id, channel, error, nextAttemptAt, outageSince } = of;
  const state = getState(of);
  const isAtWork = replay.isAtWork(id);
  if (error === null && !isAtWork) return null;
  const isFirst = state === "paused";
  const canReplay = state === "dead" || nextAttemptAt !== null ||
    state === "failed" && channel !== "action" || state === "filed" && canSend;
  return (
    <Stack gap={4} align="flex-start" miw={{ base: 0, sm: 160 }}>
      {error !== null && <Text size="xs" className="ps-wrap">{sentence(error)}</Text>}
      {state === "filed" && canSend === false && (
        <PageLink href="/connections/mail">{ruleWords.setUpMail}</PageLink>
      )}
      {outageSince && <Text size="xs">{words.outageSince(moment(outageSince))}</Text>}
      {nextAttemptAt && !isAtWork && (
        <Text size="xs">
          {(isFirst ? words.firstAttempt : words.nextAttempt)(moment(nextAttemptAt))}
        </Text>
      )}
      {(canReplay || isAtWork) && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={isAtWork}
            onClick={() => replay.run(id)}
          >
            {isFirst ? words.sendNow : nextAttemptAt ? words.attemptNow : words.replay}
          </Button>
          {state === "dead" && !isAtWork && (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={dismissal.isAtWork(id)}
              onClick={() => dismissal.run(id)}
            >
              {words.dismiss}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** Returns true once a mail server is set up; undefined for users who may not see connections. */
function useMailServer(): boolean | undefined {
  const { data } = useRead("/api/connections", {}, { when: useMay()("templates:read") });
  const mail = data?.connections.find((it) => it.kind === "mail");
  return mail && mail.state !== "not_set_up";
}

/** Deliveries under way change without an event. */
const LOOK_MS = 2_000;
const TOUCHES = ["/api/notifications", "/api/home"];

export function Deliveries() {
  const words = useWords(NOTIFICATIONS);
  const { moment, number } = useFormats();
  const canSend = useMailServer();
  const fields: readonly SearchField[] = [
    {
      name: "state",
      label: words.state,
      choices: Object.entries(words.states).map(([value, label]) => ({ value, label })),
    },
    {
      name: "channel",
      label: words.channel,
      choices: Object.entries(words.channels).map(([value, label]) => ({ value, label })),
    },
    { name: "rule", label: words.rule },
  ];
  const { filter, page, onPage } = useSearched(fields);
  const { state: progress, ...others } = filter;
  const query = { ...others, ...progress && { progress }, page, pageSize: SIZE };
  const given = { query };
  const first = useRead("/api/notifications/deliveries", given, { keep: true });
  const isOpen = first.data?.deliveries.some(({ state }) => state === "pending");
  const deliveries = useRead("/api/notifications/deliveries", given, {
    keep: true,
    ...isOpen && { everyMs: LOOK_MS },
  });
  const replay = useRowChange(
    async (id) => {
      const of = deliveries.data?.deliveries.find((it) => it.id === id);
      if (of) await retryDelivery(of, words, moment);
    },
    TOUCHES,
  );
  const dismissal = useRowChange((id) => dismissDelivery(id, words), TOUCHES);
  return (
    <Stack gap="sm">
      <SearchForm fields={fields} />
      <RowProblems of={replay} />
      <RowProblems of={dismissal} />
      <Loaded of={deliveries}>
        {({ deliveries, total, totalIsCapped }) => (
          <>
            <Records
              label={words.deliveries}
              rows={deliveries}
              keyOf={(it) => it.id}
              empty={Object.keys(filter).length > 0
                ? <Empty icon="search" title={words.noSuchDelivery} />
                : <Empty icon="send" title={words.noDeliveries} hint={words.noDeliveriesHint} />}
              columns={[
                { key: "when", label: words.when, cell: (it) => moment(it.createdAt) },
                {
                  key: "state",
                  label: words.state,
                  cell: (it) => <State of={it} />,
                },
                { key: "rule", label: words.rule, cell: (it) => it.rule },
                {
                  key: "address",
                  label: words.address,
                  cell: (it) => <Recipient of={it} />,
                },
                {
                  key: "invoice",
                  label: words.invoice,
                  cell: (it) =>
                    it.invoice && (
                      <span className="ps-number">
                        <InvoiceLink id={it.invoice} label={it.number} />
                      </span>
                    ),
                },
                {
                  key: "attempts",
                  label: words.attempts,
                  isRight: true,
                  isWide: true,
                  // A message in the console is there at once.
                  cell: (it) => it.channel === "portal" ? "–" : number(it.attempts),
                },
                {
                  key: "problem",
                  label: words.problem,
                  cell: (it) => (
                    <Problem of={it} canSend={canSend} replay={replay} dismissal={dismissal} />
                  ),
                },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} isCapped={totalIsCapped} onPage={onPage} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
