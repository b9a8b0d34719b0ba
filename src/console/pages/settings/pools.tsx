import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useAsk, useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { DRIVERS } from "../connections/drivers.ts";
import { CONNECTOR } from "./connector_words.ts";
import { SETTINGS } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

type Pool = components["schemas"]["PoolListed"];
/** The product's own database, which cannot be closed. */
const OWN = "default";
const LOOK_MS = 5_000;

/** Databases of the settings, with their current connections. */
export default function Pools() {
  const words = useWords(CONNECTOR);
  const common = useWords(SETTINGS);
  const may = useMay();
  const { number } = useFormats();
  const listed = useRead("/api/db/pools", {}, { everyMs: LOOK_MS });
  return (
    <Stack gap="sm">
      {may("templates:read") && (
        <Text size="sm">
          {words.toConnections}{" "}
          <Anchor component={Link} href="/connections" inherit underline="always">
            {words.connectionsPage}
          </Anchor>.
        </Text>
      )}
      <Loaded of={listed}>
        {({ pools }) => (
          <Records
            label={common.pools}
            rows={pools}
            keyOf={(it) => it.alias}
            empty={null}
            columns={[
              {
                key: "alias",
                label: words.alias,
                cell: (it) => (
                  <>
                    <PageLink href={`/settings/pools/of/${encodeURIComponent(it.alias)}`}>
                      {it.alias}
                    </PageLink>
                    {it.alias === OWN && <Text size="xs" c="dimmed">{words.ownDatabase}</Text>}
                    {it.source === "environment" && (
                      <Text size="xs" c="dimmed">
                        {words.fromVariable(`POOL_${it.alias.toUpperCase()}_URL`)}
                      </Text>
                    )}
                  </>
                ),
              },
              {
                key: "driver",
                label: words.driver,
                isWide: true,
                cell: (it) => DRIVERS.find(({ value }) => value === it.driver)?.label ?? it.driver,
              },
              {
                key: "state",
                label: words.state,
                cell: (it) =>
                  it.state === "open"
                    ? <Mark tone="good">{words.open}</Mark>
                    : <Mark tone="calm">{words.closed}</Mark>,
              },
              {
                key: "connections",
                label: words.connections,
                cell: ({ connections: it }) =>
                  it
                    ? [
                      words.busy(number(it.busy), number(it.open), number(it.max)),
                      it.waiting ? words.waiting(number(it.waiting)) : "",
                    ].filter(Boolean).join(", ")
                    : words.unused,
              },
              { key: "do", label: common.actions, cell: (it) => <Actions of={it} /> },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function Actions({ of: { alias, state } }: { of: Pool }) {
  const words = useWords(CONNECTOR);
  const may = useMay();
  const { moment } = useFormats();
  const target = { params: { query: { target_pool: alias } } };
  const check = useAsk(async () => {
    const { data } = await api.GET("/api/db/check", target);
    toast(words.answers(alias, moment(data?.rows[0]?.CURRENT_DATE)));
  }, ["/api/db"]);
  const open = useChange(() => api.GET("/api/db/open", target), ["/api/db", "/api/connectors"]);
  const close = useChange(
    () => api.GET("/api/db/close", { params: { query: { pool: alias } } }),
    ["/api/db", "/api/connectors"],
  );
  const mayControl = may(`pool:${alias}:control`) && alias !== OWN;
  return (
    <Stack gap={4}>
      <Group gap={4}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={formatNamed(words.check, alias)}
          loading={check.isPending}
          onClick={() => {
            open.reset();
            check.mutate(undefined);
          }}
        >
          {words.check}
        </Button>
        {mayControl && state === "closed" && (
          <Button
            size="compact-sm"
            variant="default"
            loading={open.isPending}
            onClick={() => {
              check.reset();
              open.mutate(undefined);
            }}
          >
            {words.doOpen}
          </Button>
        )}
        {mayControl && state === "open" && (
          <Confirm
            size="compact-sm"
            label={words.doClose}
            question={words.closeQuestion(alias)}
            work={close}
            run={() => close.mutateAsync(undefined)}
          />
        )}
      </Group>
      <ProblemNote problem={check.error ?? open.error} />
    </Stack>
  );
}
