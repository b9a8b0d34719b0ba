import { Alert, Button, Collapse, Group, JsonInput, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEvent, ReactNode } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useAsk, useChange, useRead, useTagged } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { isAtFields, useMarks } from "../../components/grouped_template.tsx";
import { Coded } from "../../components/invoices/coded.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page, ProblemNote } from "../../components/notes.tsx";
import {
  mergedJson,
  parseProperties,
  type Property,
  type TemplateProperties,
  withProperties,
  writtenProperties,
} from "../../components/properties.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import {
  StaleNote,
  type Stored,
  useChanges,
  useStoredDraft,
} from "../../components/stored_draft.tsx";
import { toast } from "../../components/toasts.tsx";
import { type ConsoleLanguage, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { isShownAtField, RuleFields } from "./rule_fields.tsx";
import { lacksAddress } from "./rule_sentence.ts";
import { ALL_RULES, isOn } from "./rules.tsx";
import { RULE_WORDS } from "./rule_words.ts";
import { NOTIFICATIONS } from "./words.ts";

const TYPE = "notification-rule";
const TOUCHES = ["/api/config", "/api/templates"];

/** Form of a rule, with its JSON next to it; `undefined` creates one. */
export function RulePage({ name }: { name: string | undefined }) {
  const words = useWords(NOTIFICATIONS);
  const language = useLanguage();
  const rule = useTagged("/api/config/template", { query: { name } }, { when: name !== undefined });
  const catalogues = useRead("/api/config/template-properties");
  return (
    <Page
      title={name ?? words.newRule}
      back={{ href: "/notifications/rules", label: words.back }}
    >
      <Loaded of={catalogues}>
        {({ catalogues }) => {
          const known = catalogues.find((it) => it.type === TYPE)?.properties ?? [];
          if (name === undefined) return <RuleForm stored={FRESH[language]} known={known} isNew />;
          return (
            <Loaded of={rule}>
              {({ body: { properties = {} }, etag }) => (
                <RuleForm
                  key={name}
                  stored={{ value: { name, json: writtenProperties(properties) }, etag }}
                  known={known}
                />
              )}
            </Loaded>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface Draft {
  readonly name: string;
  readonly json: string;
}
/** A new rule is on, and uses the language of its author; without a language the product writes English. */
const FRESH: Readonly<Record<ConsoleLanguage, Stored<Draft>>> = {
  en: { value: { name: "", json: writtenProperties({ enabled: "Y" }) }, etag: "" },
  fr: { value: { name: "", json: writtenProperties({ enabled: "Y", language: "fr" }) }, etag: "" },
};

/** Fields that decide whether a rule needs addresses. */
const DECIDING = ["channel.email", "channel.portal", "target.name"];

function RuleForm({ stored, known, isNew = false }: {
  stored: Stored<Draft>;
  known: readonly Property[];
  isNew?: boolean;
}) {
  const words = useWords(NOTIFICATIONS);
  const language = useLanguage();
  const changes = useChanges();
  const isFixed = !useMay()("templates:write");
  const form = useStoredDraft(stored, { merged: mergedJson });
  const { json } = form.draft;
  const name = form.draft.name.trim();
  const values = parseProperties(json);
  const isSilent = values !== undefined && lacksAddress(values);
  const marks = useMarks();
  const { addressMissing } = useWords(RULE_WORDS);
  /** Tells a missing address at its field. Only one error is shown at a time. */
  const isWhole = () => {
    if (save.error) save.reset();
    marks.mark(isSilent ? { "email.list": addressMissing } : {});
    return !isSilent;
  };
  const isMarked = (error: unknown) => isAtFields(error, (it) => isShownAtField(it, values ?? {}));
  const labels = new Map(known.map((it) => [it.name, it.label[language]]));
  const body = () => {
    if (!values) throw new ApiProblem(words.jsonWrong, { status: 422 });
    return { name, type: TYPE, properties: values } as const;
  };
  const { save, remove } = useRuleWork(stored, { form, body, isNew });
  const { data: rules } = useRead("/api/config/templates", ALL_RULES, { when: !isNew });
  const isUnowned = isOn({ properties: values ?? {} }) &&
    rules?.unowned.includes(stored.value.name) === true;
  const saveHere = !isFixed && (
    <Button type="submit" size="compact-sm" loading={save.isPending} disabled={form.isStale}>
      {words.save}
    </Button>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isFixed && !save.isPending && isWhole()) {
      save.mutate(undefined, { onError: marks.markProblem });
    }
  };
  return (
    <Stack gap="lg" component="form" onSubmit={submit}>
      {form.isStale && (
        <StaleNote
          changes={changes(
            parseProperties(form.before.json) ?? {},
            parseProperties(stored.value.json) ?? {},
            (it) => labels.get(it) ?? it,
          )}
          {...form}
        />
      )}
      {isUnowned && <NoEffect>{saveHere}</NoEffect>}
      <fieldset disabled={save.isPending} ref={marks.area}>
        <Stack gap="md" maw={820}>
          <TextInput
            label={words.name}
            required
            readOnly={isFixed}
            value={form.draft.name}
            onChange={(it) => form.set({ name: it.currentTarget.value })}
          />
          <RuleFields
            known={known}
            values={values ?? {}}
            errors={marks.fields}
            isFixed={isFixed || values === undefined}
            onValues={(changed) => {
              if (isMarked(save.error)) save.reset();
              Object.keys(changed).forEach(marks.clear);
              if (DECIDING.some((it) => it in changed)) marks.clear("email.list");
              form.set({ json: withProperties(values, changed) });
            }}
          />
          <RuleJson
            isFixed={isFixed}
            isWrong={values === undefined}
            json={json}
            onChange={(it) => form.set({ json: it })}
          />
        </Stack>
      </fieldset>
      <ProblemNote problem={form.isStale || isMarked(save.error) ? undefined : save.error} />
      <Group>
        {!isFixed && (
          <Button type="submit" loading={save.isPending} disabled={form.isStale}>
            {words.save}
          </Button>
        )}
        {!isFixed && !isNew && (
          <Confirm
            label={words.remove}
            question={words.removeQuestion}
            work={remove}
            run={() => remove.mutateAsync(undefined)}
            leftSection={<Icon name="trash" />}
          />
        )}
      </Group>
      <TryIt
        body={body}
        written={`${name}\n${json}`}
        isOn={values?.["enabled"] === "Y"}
        saveFirst={isUnowned ? saveHere : undefined}
        isWhole={isWhole}
        onWrong={marks.markProblem}
        isMarked={isMarked}
        isRefused={isSilent || save.error !== null}
      />
    </Stack>
  );
}

/** Tells that the rule has no effect until it is saved, with the button that saves it. */
function NoEffect({ children }: { children: ReactNode }) {
  const { unowned } = useWords(NOTIFICATIONS);
  const icon = <Icon name="warning" />;
  return (
    <Alert color="yellow" variant="light" icon={icon} title={unowned} maw={820}>
      {children}
    </Alert>
  );
}

/** Returns the saving and the removal of a rule. */
function useRuleWork(stored: Stored<Draft>, { form, body, isNew }: {
  form: ReturnType<typeof useStoredDraft<Draft>>;
  body: () => { readonly name: string; readonly type: typeof TYPE; properties: TemplateProperties };
  isNew: boolean;
}) {
  const words = useWords(NOTIFICATIONS);
  const [, go] = useLocation();
  const { name: before } = stored.value;
  const name = form.draft.name.trim();
  const save = useChange(async () => {
    const { response } = isNew
      ? await api.POST("/api/config/template", { body: body() })
      : await api.PUT("/api/config/template", {
        params: { query: { name: before }, header: { "if-match": form.etag } },
        body: body(),
      });
    toast(words.saved);
    form.saved(form.draft, readEtag(response));
    // The old address no longer exists.
    if (isNew || name !== before) {
      go(`/notifications/rules/of/${encodeURIComponent(name)}`, { replace: true });
    }
  }, TOUCHES);
  const remove = useChange(async () => {
    await api.DELETE("/api/config/template", { params: { query: { name: before } } });
    form.drop();
    go("/notifications/rules", { replace: true });
  }, TOUCHES);
  return { save, remove };
}

/** The rule as text, closed at first; text that is no JSON stays open. */
function RuleJson({ isFixed, isWrong, json, onChange }: {
  isFixed: boolean;
  isWrong: boolean;
  json: string;
  onChange: (json: string) => void;
}) {
  const words = useWords(NOTIFICATIONS);
  const { asJson } = useWords(RULE_WORDS);
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <>
      <Group>
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
          {asJson}
        </Button>
      </Group>
      <Collapse expanded={isOpen || isWrong}>
        <JsonInput
          label={words.json}
          readOnly={isFixed}
          autosize
          minRows={12}
          maxRows={40}
          spellCheck={false}
          value={json}
          onChange={onChange}
          error={isWrong && words.jsonWrong}
        />
      </Collapse>
    </>
  );
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Shows which notifications the edited rule would have sent recently. Nothing is sent. */
function TryIt({ body, written, isOn, saveFirst, isWhole, onWrong, isMarked, isRefused }: {
  body: () => { name: string; type: typeof TYPE; properties: TemplateProperties };
  written: string;
  isOn: boolean;
  /** Button of a rule that has no effect until it is saved; undefined for the others. */
  saveFirst: ReactNode;
  /** Tells whether the rule can be tried. */
  isWhole: () => boolean;
  /** Marks the fields that an error names. */
  onWrong: (error: unknown) => void;
  /** Tells whether the form shows an error at its fields. */
  isMarked: (error: unknown) => boolean;
  /** True if the form shows an error of the rule already. */
  isRefused: boolean;
}) {
  const words = useWords(NOTIFICATIONS);
  const { moment, number } = useFormats();
  const work = useAsk(async (_: string) => {
    const to = new Date();
    const from = new Date(to.getTime() - DAYS * DAY_MS);
    const own = body();
    const rule = { ...own, name: own.name || words.newRule }; // the rule gets its name when it is saved
    const { data } = await api.POST("/api/notifications/replay", {
      body: { rule, from: from.toISOString(), to: to.toISOString() },
    });
    return data;
  });
  const isOfWritten = work.variables === written; // otherwise the result could belong to another version of the rule
  if (!useMay()("notifications:test")) return null;
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          loading={work.isPending}
          leftSection={<Icon name="play" />}
          onClick={() => {
            if (isWhole()) work.mutate(written, { onError: onWrong });
          }}
        >
          {words.tryIt}
        </Button>
      </Group>
      <ProblemNote
        problem={isOfWritten && !isRefused && !isMarked(work.error) ? work.error : null}
      />
      {isOfWritten && work.data && (
        <>
          <Text size="sm" role="status">
            {words.tried(number(work.data.matched), number(work.data.examined))}
            {work.data.truncated && ` ${words.truncated}`}
            {!isOn && ` ${words.triedOff}`}
            {saveFirst !== undefined && ` ${words.triedUnowned}`}
          </Text>
          {saveFirst && <Group>{saveFirst}</Group>}
          <Records
            label={words.tryIt}
            rows={work.data.dispatches}
            keyOf={(it) => `${it.at} ${it.id} ${it.status}`}
            empty={null}
            columns={[
              { key: "when", label: words.when, cell: (it) => moment(it.at) },
              {
                key: "invoice",
                label: words.invoice,
                cell: (it) => (
                  <span className="ps-number">
                    <InvoiceLink id={it.id} />
                  </span>
                ),
              },
              {
                key: "status",
                label: words.status,
                cell: (it) => <Coded of="statuses" code={it.status} />,
              },
              {
                key: "portal",
                label: words.portal,
                cell: (it) => it.portal === "*" ? words.everybody : it.portal,
              },
              { key: "emails", label: words.emails, cell: (it) => it.emails.join(", ") },
              { key: "subject", label: words.subject, isWide: true, cell: (it) => it.subject },
              {
                key: "actions",
                label: words.actions,
                isRight: true,
                isWide: true,
                cell: (it) => number(it.actions.length),
              },
            ]}
          />
        </>
      )}
    </Stack>
  );
}
