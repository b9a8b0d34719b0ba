import {
  Box,
  Button,
  Collapse,
  Group,
  JsonInput,
  MultiSelect,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useChange, useRead, useTagged } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { Confirm } from "../../components/confirm.tsx";
import { SaveForm } from "../../components/forms.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { Password } from "../../components/password.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { StaleNote, useChanges, useStoredDraft } from "../../components/stored_draft.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Invitation, OnceLink, type Unsent } from "./invitation.tsx";
import { NewUser } from "./new_user.tsx";
import { listChoices } from "./ready_roles.ts";
import { RightsOfUser } from "./rights_of_user.tsx";
import { Sessions } from "./sessions.tsx";
import { useRoles } from "./use_roles.ts";
import { UserState } from "./user_state.tsx";
import { useFieldMistake } from "./use_field_mistake.ts";
import { PEOPLE } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";

type Detail = components["schemas"]["UserDetail"];
const SIZE = 50;
/** Most users of a list that is read without filters. */
const FEW = 10;
const TOUCHES = ["/admin/users", "/admin/roles", "/auth/me"];

export function Users() {
  const words = useWords(PEOPLE);
  const { moment } = useFormats();
  const may = useMay();
  const [params, setParams] = useSearchParams();
  const [opened, dialog] = useDisclosure(params.get("invite") === "yes");
  const [made, setMade] = useState<Unsent>();
  const { nameOf, roles } = useRoles();
  const sought = params.get("role") ?? "";
  const names = [...new Set([...roles.map((it) => it.name), sought].filter(Boolean))];
  const fields: readonly SearchField[] = [
    { name: "search", label: words.nameOrEmail },
    {
      name: "role",
      label: words.role,
      choices: names.map((value) => ({ value, label: nameOf(value) })),
    },
    {
      name: "active",
      label: words.state,
      choices: [
        { value: "true", label: words.active },
        { value: "false", label: words.inactive },
      ],
    },
  ];
  const { filter, page, onPage } = useSearched(fields);
  const query = { ...filter, limit: SIZE, offset: (page - 1) * SIZE };
  const users = useRead("/admin/users", { query }, { keep: true });
  const isSearched = Object.keys(filter).length > 0;
  return (
    <Stack gap="sm">
      {may("users:write") && (
        <Group>
          <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>{words.invite}</Button>
          <NewUser
            opened={opened}
            onClose={() => {
              dialog.close();
              if (params.has("invite")) setParams({}, { replace: true });
            }}
            onLink={setMade}
          />
        </Group>
      )}
      {made && <OnceLink {...made} />}
      {(isSearched || (users.data?.total ?? 0) > FEW) && <SearchForm fields={fields} />}
      <Loaded of={users}>
        {({ users, total }) => (
          <>
            <Records
              label={words.users}
              rows={users}
              keyOf={(it) => it.username}
              empty={isSearched
                ? <Empty icon="search" title={words.noSuchUser} />
                : <Empty icon="people" title={words.nobody} hint={words.nobodyHint} />}
              columns={[
                {
                  key: "name",
                  label: words.username,
                  cell: (it) => (
                    <PageLink href={`/people/users/${encodeURIComponent(it.username)}`}>
                      {it.username}
                    </PageLink>
                  ),
                },
                {
                  key: "display",
                  label: words.displayName,
                  cell: (it) =>
                    (it.display_name || it.email) && (
                      <Box className="ps-wrap" miw={{ base: 0, sm: 140 }}>
                        {it.display_name && <Text size="sm">{it.display_name}</Text>}
                        {it.email && <Text size="xs" c="dimmed">{it.email}</Text>}
                      </Box>
                    ),
                },
                {
                  key: "roles",
                  label: words.roles,
                  cell: (it) => it.roles.map(nameOf).join(", "),
                },
                { key: "state", label: words.state, cell: (it) => <UserState of={it} /> },
                {
                  key: "last",
                  label: words.lastSignIn,
                  isWide: true,
                  cell: (it) => (
                    <span className="ps-number">{moment(it.last_sign_in) || words.never}</span>
                  ),
                },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} onPage={onPage} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

export function User({ name }: { name: string }) {
  const words = useWords(PEOPLE);
  const user = useTagged("/admin/users/{username}", { path: { username: name } });
  return (
    <Page
      title={name}
      hint={user.data?.body.display_name}
      back={{ href: "/people/users", label: words.users }}
    >
      <Loaded of={user}>
        {({ body: it, etag }) => (
          <Stack gap="xl">
            <UserForm key={name} user={it} etag={etag} />
            {!it.has_password && it.active && (
              <Invitation
                username={it.username}
                email={it.email}
              />
            )}
            <Access user={it} />
            <Sessions of={it.username} />
            <RightsOfUser of={it} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function UserForm({ user, etag }: { user: Detail; etag: string }) {
  const words = useWords(PEOPLE);
  const changes = useChanges();
  const isFixed = !useMay()("users:write");
  const stored = {
    display_name: user.display_name,
    email: user.email ?? "",
    language: user.language,
    roles: user.roles,
    claims: JSON.stringify(user.claims, null, 2),
    active: user.active,
  };
  const form = useStoredDraft({ value: stored, etag });
  const { draft, set } = form;
  const [isOpen, more] = useDisclosure(Object.keys(user.claims).length > 0);
  const known = useRoles();
  const labels: Record<keyof typeof stored, string> = {
    display_name: words.displayName,
    email: words.email,
    language: words.language,
    roles: words.roles,
    claims: words.claims,
    active: words.state,
  };
  const describe = (of: typeof stored) => ({
    ...of,
    roles: of.roles.map(known.nameOf),
    language: of.language ? words.languages[of.language] : words.asTheyAsk,
    active: of.active ? words.active : words.inactive,
  });
  const work = useChange(async () => {
    const { email, claims, ...rest } = draft;
    const { response } = await api.PUT("/admin/users/{username}", {
      params: { path: { username: user.username }, header: { "if-match": form.etag } },
      body: { ...rest, claims: readClaims(claims, words.claimsWrong), email: email || null },
    });
    form.saved(draft, readEtag(response));
    toast(words.saved);
  }, TOUCHES);
  const mistake = useFieldMistake(work.error, "email");
  return (
    <SaveForm
      work={mistake.error ? { ...work, error: null } : work}
      isFixed={isFixed}
      stale={form.isStale && (
        <StaleNote
          changes={changes(
            describe(form.before),
            describe(stored),
            (it) => labels[it as keyof typeof stored],
          )}
          {...form}
        />
      )}
    >
      <TextInput
        label={words.displayName}
        readOnly={isFixed}
        value={draft.display_name}
        onChange={(it) => set({ display_name: it.currentTarget.value })}
      />
      <TextInput
        label={words.email}
        type="email"
        {...mistake}
        readOnly={isFixed}
        value={draft.email}
        onChange={(it) => set({ email: it.currentTarget.value })}
      />
      <Select
        label={words.language}
        readOnly={isFixed}
        data={[
          { value: "", label: words.asTheyAsk },
          { value: "fr", label: words.languages.fr },
          { value: "en", label: words.languages.en },
        ]}
        value={draft.language ?? ""}
        onChange={(it) => set({ language: it === "fr" || it === "en" ? it : null })}
      />
      <MultiSelect
        label={words.roles}
        readOnly={isFixed}
        searchable
        data={listChoices(known, draft.roles)}
        value={draft.roles}
        onChange={(it) => set({ roles: it })}
      />
      <Switch
        label={words.active}
        disabled={isFixed}
        checked={draft.active}
        onChange={(it) => set({ active: it.currentTarget.checked })}
      />
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={more.toggle}
        style={{ alignSelf: "flex-start" }}
      >
        {words.claims}
      </Button>
      <Collapse expanded={isOpen}>
        <JsonInput
          label={words.claims}
          description={words.claimsHint}
          readOnly={isFixed}
          autosize
          minRows={2}
          value={draft.claims}
          onChange={(it) => set({ claims: it })}
        />
      </Collapse>
    </SaveForm>
  );
}

function readClaims(text: string, wrong: string): Detail["claims"] {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Detail["claims"];
    }
  } catch {
    // the error is shown below
  }
  throw new ApiProblem(wrong, { status: 422 });
}

/** Password and open sessions. */
function Access({ user: { username } }: { user: Detail }) {
  const words = useWords(PEOPLE);
  const { number } = useFormats();
  const [password, setPassword] = useState("");
  useUnsaved(password !== "");
  const path = { username };
  const set = useChange(
    () => api.POST("/admin/users/{username}/password", { params: { path }, body: { password } }),
    TOUCHES,
  );
  const revoke = useChange(
    async () => (await api.POST("/admin/users/{username}/revoke", { params: { path } })).data,
    TOUCHES,
  );
  if (!useMay()("users:write")) return null;
  return (
    <Stack gap="sm" maw={640}>
      <Password
        label={words.password}
        description={words.passwordHint}
        autoComplete="new-password"
        value={password}
        onChange={(it) => setPassword(it.currentTarget.value)}
      />
      <ProblemNote problem={set.error} />
      <Group>
        <Button
          variant="default"
          disabled={password === ""}
          loading={set.isPending}
          onClick={() =>
            set.mutate(undefined, {
              onSuccess: () => {
                setPassword("");
                toast(words.passwordSet);
              },
            })}
        >
          {words.setPassword}
        </Button>
        <Confirm
          label={words.revoke}
          question={words.revokeQuestion}
          work={revoke}
          run={async () => {
            const ended = await revoke.mutateAsync(undefined);
            toast(words.revoked(number(ended?.sessions ?? 0)));
          }}
        />
      </Group>
    </Stack>
  );
}
