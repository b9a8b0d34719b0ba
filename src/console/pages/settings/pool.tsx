import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useDeferredValue, useState } from "react";
import { api } from "../../api/client.ts";
import type { ApiProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { CONNECTOR } from "./connector_words.ts";
import { SETTINGS } from "./words.ts";

type Schema = components["schemas"]["PoolSchema"];
const MAX = 200;

/** Tables that the role of a pool can see in its database. */
export default function PoolPage({ alias }: { alias: string }) {
  const words = useWords(CONNECTOR);
  const { back } = useWords(SETTINGS);
  const pool = alias === "default" ? "passerelle" : alias;
  const schema = useQuery<Schema | undefined, ApiProblem>({
    queryKey: ["/api/sql", pool, "_schema"],
    queryFn: async ({ signal }) =>
      (await api.POST("/api/sql/{pool}/_schema", { params: { path: { pool } }, signal })).data,
  });
  return (
    <Page
      title={alias === "default" ? words.ownDatabase : alias}
      back={{ href: "/settings/pools", label: back }}
    >
      <Loaded of={schema}>{(it) => it && <Tables of={it} label={words.tables} />}</Loaded>
    </Page>
  );
}

function Tables({ of: { tables }, label }: { of: Schema; label: string }) {
  const words = useWords(CONNECTOR);
  const { number } = useFormats();
  const [search, setSearch] = useState("");
  const sought = useDeferredValue(search.trim().toLowerCase());
  const found = tables.filter((it) =>
    `${it.schema}.${it.name} ${it.columns.map((column) => column.name).join(" ")}`
      .toLowerCase().includes(sought)
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<Icon name="search" />}
          value={search}
          onChange={(it) => setSearch(it.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {words.shown(number(found.length), number(tables.length))}{" "}
          {found.length > MAX && words.first(MAX)}
        </Text>
      </Group>
      <Records
        label={label}
        rows={found.slice(0, MAX)}
        keyOf={(it) => `${it.schema}.${it.name}`}
        empty={null}
        columns={[
          {
            key: "table",
            label: words.table,
            cell: (it) => (
              <>
                {`${it.schema}.${it.name}`}
                {it.kind === "view" && <Text span size="xs" c="dimmed">{` ${words.view}`}</Text>}
              </>
            ),
          },
          {
            key: "columns",
            label: words.columns,
            cell: (it) =>
              it.columns.map(({ name, type }, at) => (
                <Fragment key={name}>
                  {at > 0 && ", "}
                  {name}
                  <Text span size="xs" c="dimmed">
                    {` ${type}${it.primary_key.includes(name) ? ` (${words.key})` : ""}`}
                  </Text>
                </Fragment>
              )),
          },
        ]}
      />
    </Stack>
  );
}
