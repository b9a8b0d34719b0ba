import { Alert, Anchor, SimpleGrid, Text, Title, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { usePaHealth } from "../../components/pa_health.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

/** Number of records that wait, with a link to them. */
interface Waiting {
  readonly key: string;
  readonly label: (count: number) => string;
  readonly icon: IconName;
  readonly href: string;
  readonly read: {
    readonly data?: { readonly total: number; readonly totalIsCapped?: boolean } | undefined;
    readonly error: unknown;
  };
}

/** Rejected by a platform. */
const REJECTED = "213";
const ONE = { pageSize: 1 };
/** Polling interval: no event reports blocked or quarantined work. */
const LOOK_MS = 30_000;

/** Work that is blocked until a person acts. */
export function Needs() {
  const words = useWords(HOME);
  const { number } = useFormats();
  const may = useMay();
  const mayRun = may("invoices:run");
  const of = (status: string) => ({ query: { status, direction: "issued", ...ONE } });
  const attention = useRead("/api/invoices", { query: { attention: "any", ...ONE } });
  const toCorrect = useRead("/api/invoices", of("9907"));
  const sendFailed = useRead("/api/invoices", of("9904"));
  const refused = useRead("/api/invoices", of("210"));
  const disputed = useRead("/api/invoices", of("207"));
  const rejected = useRead("/api/invoices", of(REJECTED));
  const suspended = useRead("/api/invoices", of("208"));
  const stuck = useRead("/api/submissions", { query: { state: "stuck", ...ONE } }, {
    everyMs: LOOK_MS,
  });
  const notTaken = useRead("/api/status-messages", { query: ONE }, { everyMs: LOOK_MS });
  const quarantine = useRead("/api/pa/quarantine", { query: ONE }, { everyMs: LOOK_MS });
  const dead = useRead("/api/tasks", { query: ONE }, { when: mayRun });
  const health = usePaHealth();
  const list = "/invoices?direction=issued&status=";
  const waiting: readonly Waiting[] = [
    {
      key: "k",
      label: words.attention,
      icon: "warning",
      href: "/invoices?attention=any",
      read: attention,
    },
    { key: "a", label: words.toCorrect, icon: "error", href: `${list}9907`, read: toCorrect },
    { key: "b", label: words.sendFailed, icon: "send", href: `${list}9904`, read: sendFailed },
    { key: "c", label: words.stuck, icon: "clock", href: "/platform/sendings", read: stuck },
    { key: "j", label: words.notTaken, icon: "send", href: "/platform/statuses", read: notTaken },
    { key: "h", label: words.rejected, icon: "error", href: `${list}${REJECTED}`, read: rejected },
    { key: "d", label: words.refused, icon: "close", href: `${list}210`, read: refused },
    { key: "e", label: words.disputed, icon: "warning", href: `${list}207`, read: disputed },
    { key: "i", label: words.suspended, icon: "clock", href: `${list}208`, read: suspended },
    {
      key: "f",
      label: words.quarantine,
      icon: "lock",
      href: "/platform/quarantine",
      read: quarantine,
    },
    { key: "g", label: words.dead, icon: "stop", href: "/platform/tasks", read: dead },
  ];
  const some = waiting.filter(({ read }) => (read.data?.total ?? 0) > 0);
  const problem = waiting.find(({ read }) => read.error)?.read.error;
  const isKnown = waiting.every(({ read, key }) => read.data || (key === "g" && !mayRun));
  return (
    <section aria-labelledby="needs">
      <Title order={2} size="h4" mb="sm" id="needs">{words.needs}</Title>
      <ProblemNote problem={problem} />
      {isInTrouble(health.data) && (
        <PaTrouble
          health={health.data}
          askedAt={health.dataUpdatedAt}
        />
      )}
      {isKnown && some.length === 0 && !health.isPending &&
        !isInTrouble(health.data) && (
        <Alert
          color="green"
          variant="light"
          icon={<Icon name="check" />}
          title={<Text inherit span c="var(--mantine-color-text)">{words.calm}</Text>}
        >
          {words.calmHint}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="md">
        {some.map(({ key, label, icon, href, read }) => (
          <UnstyledButton key={key} component={Link} href={href} className="ps-need">
            <Icon name={icon} size={22} />
            <span>
              <Text span className="ps-need-count">
                {number(read.data?.total ?? 0)}
                {read.data?.totalIsCapped ? "+" : ""}
              </Text>{" "}
              <Text span size="sm">{label(read.data?.total ?? 0)}</Text>
            </span>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </section>
  );
}

type Health = components["schemas"]["PaHealth"];

/** Returns true if submissions wait for the PA. */
const isInTrouble = (health: Health | undefined): health is Health =>
  health !== undefined && !(health.reachable && health.breaker === "closed");

function PaTrouble({ health, askedAt }: { health: Health; askedAt: number }) {
  const words = useWords(HOME);
  const { time } = useFormats();
  const { breaker, error, retryInMs } = health;
  const title = breaker === "open"
    ? words.paOpen
    : breaker === "trial"
    ? words.paTrial
    : words.paDown;
  return (
    <Alert color="red" variant="light" mb="md" icon={<Icon name="platform" />} title={title}>
      {error && <Text size="sm" className="ps-wrap">{error}</Text>}
      {retryInMs !== undefined && (
        <Text size="sm">
          {retryInMs === 0 ? words.paRetryNext : words.paRetry(time(askedAt + retryInMs))}
        </Text>
      )}
      <Anchor component={Link} href="/platform/state" size="sm">{words.paState}</Anchor>
    </Alert>
  );
}
