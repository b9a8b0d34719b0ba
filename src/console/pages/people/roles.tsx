import {
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { readEtag, useChange, useRead, useTagged } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { foldText } from "../../components/fold.ts";
import { NewDialog, SaveForm } from "../../components/forms.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { StaleNote, useChanges, useStoredDraft } from "../../components/stored_draft.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Inheritance } from "./inheritance.tsx";
import { listReadyRoles, type ReadyRole } from "./ready_roles.ts";
import { Rights } from "./rights_of_user.tsx";
import { collectInherited } from "./role_areas.ts";
import { listMembers, Members, Removal } from "./role_members.tsx";
import { RoleEffect, RoleMatrix } from "./role_matrix.tsx";
import { createReadyRole, useRoles } from "./use_roles.ts";
import { PEOPLE } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

type RoleRecord = components["schemas"]["Role"];
const TOUCHES = ["/admin/roles", "/admin/users", "/auth/me"];
/** Loads all roles, since a partial diagram would mislead. */
const ALL = { query: { limit: 500 } };

/** Most roles of a list that is read without a search. */
const FEW = 10;

/** Tells whether a role contains the sought text; case and accents do not matter. */
function isFound({ name, display_name, description }: RoleRecord, sought: string): boolean {
  return [name, display_name, description].some((it) =>
    foldText(it).includes(foldText(sought.trim()))
  );
}

export function Roles() {
  const words = useWords(PEOPLE);
  const { number } = useFormats();
  const may = useMay();
  const [opened, dialog] = useDisclosure();
  const roles = useRead("/admin/roles", ALL);
  const { nameOf } = useRoles();
  const [sought, setSought] = useState("");
  return (
    <Loaded of={roles}>
      {({ roles, templates }) => (
        <Stack gap="md">
          {may("users:write") && (
            <Group>
              <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
                {words.newRole}
              </Button>
              <NewRole opened={opened} onClose={dialog.close} templates={templates} />
            </Group>
          )}
          {roles.length > FEW && (
            <TextInput
              label={words.searchRole}
              type="search"
              maw={320}
              value={sought}
              onChange={(it) => setSought(it.currentTarget.value)}
            />
          )}
          <Records
            label={words.roles}
            rows={roles.filter((it) => isFound(it, sought))}
            keyOf={(it) => it.name}
            empty={roles.length > 0
              ? <Empty icon="search" title={words.noSuchRole} />
              : <Empty icon="people" title={words.noRoles} hint={words.noRolesHint} />}
            columns={[
              {
                key: "name",
                label: words.role,
                cell: (it) => (
                  <>
                    <PageLink href={`/people/roles/${encodeURIComponent(it.name)}`}>
                      {it.display_name || it.name}
                    </PageLink>{" "}
                    {it.display_name && it.display_name !== it.name && (
                      <span className="ps-code">{it.name}</span>
                    )}
                    {it.description && (
                      <Text size="xs" c="dimmed" className="ps-folds ps-wrap">
                        {it.description}
                      </Text>
                    )}
                  </>
                ),
              },
              {
                key: "inherits",
                label: words.inherits,
                cell: (it) => it.inherits_from.map(nameOf).join(", "),
              },
              {
                key: "members",
                label: words.members,
                isRight: true,
                cell: (it) =>
                  it.members === 0
                    ? number(0)
                    : <PageLink href={listMembers(it.name)}>{number(it.members)}</PageLink>,
              },
              {
                key: "built",
                label: words.builtIn,
                isWide: true,
                cell: (it) => it.built_in ? <Icon name="check" /> : "",
              },
            ]}
          />
          {may("users:write") && <ReadyRoles of={listReadyRoles(roles, templates)} />}
          {roles.some((it) => it.inherits_from.length > 0) && (
            <>
              <Title order={2} size="h4">{words.inheritance}</Title>
              <Inheritance roles={roles} nameOf={nameOf} />
            </>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

/** Ready-made roles, each created by one press. */
function ReadyRoles({ of }: { of: readonly ReadyRole[] }) {
  const words = useWords(PEOPLE);
  const [, go] = useLocation();
  const work = useChange(async (role: ReadyRole) => {
    await createReadyRole(role);
    return role.name;
  }, TOUCHES);
  if (of.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.ready}</Title>
      <ProblemNote problem={work.error} />
      <Records
        label={words.ready}
        rows={of}
        keyOf={(it) => it.name}
        empty={null}
        columns={[
          { key: "name", label: words.role, cell: (it) => it.display_name },
          {
            key: "description",
            label: words.description,
            cell: (it) => <Text size="sm" className="ps-folds ps-wrap">{it.description}</Text>,
          },
          {
            key: "create",
            label: "",
            cell: (it) => (
              <Button
                size="xs"
                variant="default"
                loading={work.isPending && work.variables === it}
                onClick={() =>
                  work.mutate(it, {
                    onSuccess: (name) => go(`/people/roles/${encodeURIComponent(name)}`),
                  })}
              >
                {words.createRole}
              </Button>
            ),
          },
        ]}
      />
    </Stack>
  );
}

function NewRole({ opened, onClose, templates }: {
  opened: boolean;
  onClose: () => void;
  templates: readonly components["schemas"]["RoleTemplate"][];
}) {
  const words = useWords(PEOPLE);
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [template, setTemplate] = useState<string | null>(null);
  const work = useChange(async () => {
    const chosen = templates.find((it) => it.name === template);
    const { data } = await api.POST("/admin/roles", {
      body: {
        name: name.trim(),
        ...chosen && { description: chosen.description, permissions: chosen.permissions },
      },
    });
    return data?.name ?? name;
  }, TOUCHES);
  return (
    <NewDialog
      opened={opened}
      onClose={onClose}
      title={words.newRole}
      action={words.createNewRole}
      isTyped={name !== "" || template !== null}
      work={work}
      onDone={(it) => go(`/people/roles/${encodeURIComponent(it)}`)}
    >
      <TextInput
        label={words.roleName}
        description={words.roleNameHint}
        required
        data-autofocus
        value={name}
        onChange={(it) => setName(it.currentTarget.value)}
      />
      <Select
        label={words.template}
        clearable
        data={templates.map((it) => ({ value: it.name, label: it.display_name }))}
        value={template}
        onChange={setTemplate}
      />
    </NewDialog>
  );
}

export function Role({ name }: { name: string }) {
  const words = useWords(PEOPLE);
  const role = useTagged("/admin/roles/{name}", { path: { name } });
  return (
    <Page
      title={role.data?.body.display_name || name}
      hint={role.data?.body.display_name ? name : undefined}
      back={{ href: "/people/roles", label: words.roles }}
    >
      <Loaded of={role}>
        {({ body, etag }) => (
          <Stack gap="lg">
            <Members of={body} />
            <RoleForm key={name} role={body} etag={etag} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function RoleForm({ role, etag }: { role: RoleRecord; etag: string }) {
  const words = useWords(PEOPLE);
  const changes = useChanges();
  const [, go] = useLocation();
  const isFixed = !useMay()("users:write") || role.built_in;
  const path = { name: role.name };
  const stored = {
    display_name: role.display_name,
    description: role.description,
    inherits_from: role.inherits_from,
    permissions: role.permissions.join("\n"),
  };
  const form = useStoredDraft({ value: stored, etag });
  const { draft, set } = form;
  const own = draft.permissions.split(/\s+/).filter(Boolean);
  const all = useRead("/admin/roles", ALL);
  const known = all.data?.roles ?? [];
  const labels: Record<keyof typeof stored, string> = {
    display_name: words.displayName,
    description: words.description,
    inherits_from: words.inherits,
    permissions: words.own,
  };
  const work = useChange(async () => {
    const { response } = await api.PUT("/admin/roles/{name}", {
      params: { path, header: { "if-match": form.etag } },
      body: { ...draft, permissions: own },
    });
    form.saved(draft, readEtag(response));
    toast(words.saved);
  }, TOUCHES);
  const remove = useChange(() => api.DELETE("/admin/roles/{name}", { params: { path } }), TOUCHES);
  const { nameOf } = useRoles();
  const others = known.map((it) => it.name).filter((it) => it !== role.name);
  return (
    <Stack gap="lg">
      <SaveForm
        work={work}
        width={960}
        isFixed={isFixed}
        stale={form.isStale && (
          <StaleNote
            changes={changes(form.before, stored, (it) => labels[it as keyof typeof stored])}
            {...form}
          />
        )}
        more={
          <Removal
            role={role}
            heirs={known.filter((it) => it.inherits_from.includes(role.name))
              .map((it) => nameOf(it.name))}
            work={remove}
            run={async () => {
              await remove.mutateAsync(undefined);
              form.drop();
              go("/people/roles", { replace: true });
            }}
          />
        }
      >
        <TextInput
          label={words.displayName}
          readOnly={isFixed}
          value={draft.display_name}
          onChange={(it) => set({ display_name: it.currentTarget.value })}
        />
        <TextInput
          label={words.description}
          readOnly={isFixed}
          value={draft.description}
          onChange={(it) => set({ description: it.currentTarget.value })}
        />
        <MultiSelect
          label={words.inherits}
          readOnly={isFixed}
          searchable
          data={[...new Set([...others, ...draft.inherits_from])].map((value) => ({
            value,
            label: nameOf(value),
          }))}
          value={draft.inherits_from}
          onChange={(it) => set({ inherits_from: it })}
        />
        <RoleMatrix
          own={own}
          inherited={collectInherited(known, draft.inherits_from)}
          isFixed={isFixed}
          onChange={(it) => set({ permissions: it.join("\n") })}
        >
          <Textarea
            label={words.own}
            description={words.ownHint}
            readOnly={isFixed}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            value={draft.permissions}
            onChange={(it) => set({ permissions: it.currentTarget.value })}
          />
        </RoleMatrix>
        {!isFixed && all.data && (
          <RoleEffect role={role} roles={known} own={own} parents={draft.inherits_from} />
        )}
      </SaveForm>
      {role.inherits_from.length > 0 && (
        <Rights title={words.effective} codes={role.effective_permissions} />
      )}
    </Stack>
  );
}
