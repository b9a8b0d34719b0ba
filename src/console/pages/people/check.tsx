import {
  Alert,
  Button,
  Group,
  List,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { api } from "../../api/client.ts";
import { covers } from "../../api/me.tsx";
import { readPath, useAsk } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { listChoices, putAdministratorLast } from "./ready_roles.ts";
import { nameMissing } from "./right_names.ts";
import { Rights } from "./rights_of_user.tsx";
import {
  AREA_NAMES,
  CELLS,
  listCells,
  listGivers,
  measureCell,
  type RightCell,
} from "./role_areas.ts";
import { ROLE_WORDS } from "./role_words.ts";
import { useRoles } from "./use_roles.ts";
import { UserSelect } from "./user_select.tsx";
import { PEOPLE } from "./words.ts";

/** Most roles named in an answer. */
const MAX_ROLES = 8;
/** Choice of a right that the matrix does not name. */
const BY_CODE = "code";

const idOf = ({ area, level }: RightCell) => `${area} ${level}`;

/** Page that explains a user's right and tries other roles. */
export function Check() {
  return (
    <Stack gap="xl">
      <Why />
      <WhatIf />
    </Stack>
  );
}

function Why() {
  const words = useWords(PEOPLE);
  const matrix = useWords(ROLE_WORDS);
  const [user, setUser] = useState<string | null>(null);
  const [right, setRight] = useState<string | null>(null);
  const [code, setCode] = useState("");
  const cell = CELLS.find((it) => idOf(it) === right);
  const work = useAsk(async () => {
    if (user === null) return undefined;
    if (!cell) return await readPath("/admin/permissions/explain", { query: { user, code } });
    const found = await readPath("/admin/users/{username}", { path: { username: user } });
    return { ...found, cell };
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined);
  };
  const groups = AREA_NAMES.map((area) => ({
    group: matrix.areas[area],
    items: listCells(area).map((it) => ({
      value: idOf(it),
      label: matrix.effects[it.area][it.level],
    })),
  }));
  const choose = (set: () => void) => {
    work.reset();
    set();
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.explain}</Title>
      <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
        <UserSelect isRequired value={user} onChange={(it) => choose(() => setUser(it))} />
        <Select
          label={words.permission}
          required
          searchable
          w={{ base: "100%", sm: 400 }}
          data={[...groups, {
            group: matrix.otherCodes,
            items: [{ value: BY_CODE, label: words.byCode }],
          }]}
          value={right}
          onChange={(it) => choose(() => setRight(it))}
        />
        {right === BY_CODE && (
          <TextInput
            label={words.code}
            required
            placeholder="invoices:read"
            spellCheck={false}
            value={code}
            onChange={(it) => choose(() => setCode(it.currentTarget.value))}
          />
        )}
        <Button type="submit" loading={work.isPending}>{words.ask}</Button>
      </Group>
      <ProblemNote problem={work.error} />
      {work.data &&
        ("cell" in work.data ? <CellAnswer of={work.data} /> : <CodeAnswer of={work.data} />)}
    </Stack>
  );
}

type Detail = components["schemas"]["UserDetail"];

/** Says in the words of the matrix whether the user has the right, and by which roles. */
function CellAnswer({ of }: { of: Detail & { readonly cell: RightCell } }) {
  const words = useWords(PEOPLE);
  const matrix = useWords(ROLE_WORDS);
  const { roles, ready, nameOf } = useRoles();
  const { cell } = of;
  const share = measureCell(cell, of.permissions);
  const giving = (part: Share) =>
    [
      ...roles.filter((it) => measureCell(cell, it.effective_permissions) === part),
      ...ready.filter((it) => measureCell(cell, it.permissions) === part),
    ].map((it) => it.name);
  return (
    <Answer
      isActive={of.active}
      share={of.active ? share : "none"}
      title={words.answers[share](
        of.display_name || of.username,
        matrix.effects[cell.area][cell.level],
      )}
      granting={giving("all")}
      grantingInPart={share === "none" ? giving("some") : []}
    >
      {listGivers(cell, of.contributions).map((role) => (
        <List.Item key={role}>
          {words.byRole(nameOf(role))}
          {of.contributions.some((it) => it.permission === "*" && it.roles.includes(role)) &&
            ` (${matrix.everything.toLowerCase()})`}
        </List.Item>
      ))}
      {share === "some" && (
        <List.Item>
          {formatNamed(words.lacks, nameMissing(cell, of.permissions))}
        </List.Item>
      )}
    </Answer>
  );
}

function CodeAnswer({ of }: { of: components["schemas"]["PermissionExplained"] }) {
  const words = useWords(PEOPLE);
  const matrix = useWords(ROLE_WORDS);
  const { ready, nameOf } = useRoles();
  const able = ready.filter((it) => it.permissions.some((held) => covers(held, of.code)));
  const grant = of.grant === "*" ? matrix.everything.toLowerCase() : of.grant;
  return (
    <Answer
      isActive={of.active}
      share={of.allowed ? "all" : "none"}
      title={(of.allowed ? words.yes : words.no)(of.user, of.code)}
      granting={[...of.granting, ...able.map((it) => it.name)]}
    >
      {of.chains.map((it) => (
        <List.Item key={it.join(" ")}>
          {words.byRole(it.map(nameOf).join(" → "))} {grant !== of.code && `(${grant})`}
        </List.Item>
      ))}
    </Answer>
  );
}

type Share = ReturnType<typeof measureCell>;

const LOOKS: Readonly<Record<Share, { readonly color: string; readonly icon: IconName }>> = {
  all: { color: "green", icon: "check" },
  some: { color: "yellow", icon: "warning" },
  none: { color: "red", icon: "error" },
};

function Answer({ isActive, share, title, granting, grantingInPart = [], children }: {
  isActive: boolean;
  /** Part of the right that applies. */
  share: Share;
  title: string;
  /** Names of the roles that would give the right, ready-made ones too. */
  granting: readonly string[];
  /** Names of the roles that would give a part of it. */
  grantingInPart?: readonly string[];
  children: ReactNode;
}) {
  const words = useWords(PEOPLE);
  return (
    <Alert
      variant="light"
      role="status"
      color={LOOKS[share].color}
      icon={<Icon name={LOOKS[share].icon} />}
      title={title}
    >
      {!isActive && <Text size="sm">{words.blocked}</Text>}
      <List size="sm">{children}</List>
      {share !== "all" && (
        <>
          <Roles label={words.wouldBe} names={granting} />
          <Roles label={words.wouldBeInPart} names={grantingInPart} />
        </>
      )}
    </Alert>
  );
}

/** Roles in one line; those beyond the first are counted. */
function Roles({ label, names }: { label: string; names: readonly string[] }) {
  const matrix = useWords(ROLE_WORDS);
  const { number } = useFormats();
  const words = useWords(PEOPLE);
  const { nameOf, ready, roles } = useRoles();
  if (names.length === 0) return null;
  const isToAdd = (name: string) =>
    ready.some((it) => it.name === name) && !roles.some((it) => it.name === name);
  const listed = putAdministratorLast(names).slice(0, MAX_ROLES);
  const toNames = (of: readonly string[]) => of.map(nameOf).join(", ");
  const added = listed.filter((it) => !isToAdd(it));
  const toAdd = listed.filter(isToAdd);
  const shown = [toNames(added), ...toAdd.length ? [formatNamed(words.toAdd, toNames(toAdd))] : []];
  const rest = names.length - MAX_ROLES;
  return (
    <Text size="sm">
      {formatNamed(label, shown.filter(Boolean).join(words.separator))}{" "}
      {rest > 0 && matrix.others(number(rest))} {toAdd.length > 0 && (
        <>
          · <PageLink href="/people/roles">{words.openRoles}</PageLink>
        </>
      )}
    </Text>
  );
}

function WhatIf() {
  const words = useWords(PEOPLE);
  const [user, setUser] = useState<string | null>(null);
  const [roles, setRoles] = useState<string[]>([]);
  const known = useRoles();
  const work = useAsk(async () =>
    (await api.POST("/admin/permissions/what-if", { body: { roles, ...user && { user } } })).data
  );
  const choose = (set: () => void) => {
    work.reset();
    set();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined);
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.whatIf}</Title>
      <Text size="sm" c="dimmed">{words.whatIfHint}</Text>
      <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
        <UserSelect value={user} onChange={(it) => choose(() => setUser(it))} />
        <MultiSelect
          label={words.roles}
          w={{ base: "100%", sm: 400 }}
          searchable
          data={listChoices(known)}
          value={roles}
          onChange={(it) => choose(() => setRoles(it))}
        />
        <Button type="submit" variant="default" loading={work.isPending}>{words.compare}</Button>
      </Group>
      <ProblemNote problem={work.error} />
      {work.data && (
        <Stack gap="md" role="status">
          {user !== null && (
            <>
              <Rights order={3} title={words.gained} codes={work.data.gained} />
              <Rights order={3} title={words.lost} codes={work.data.lost} />
            </>
          )}
          <Rights order={3} title={words.withRoles} codes={work.data.permissions} />
        </Stack>
      )}
    </Stack>
  );
}
