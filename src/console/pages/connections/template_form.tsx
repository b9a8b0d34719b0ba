import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/me.tsx";
import {
  type GroupedForm,
  GroupedTemplate,
  type PropertyGroup,
  readWrongFields,
} from "../../components/grouped_template.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { useWords } from "../../i18n/language.ts";
import { type Kind, Result, type Tested, useTest } from "./result.tsx";
import { CONNECTIONS } from "./words.ts";

/** Words that are the heading of a group. */
type Heading = "service" | "signIn" | "server" | "account" | "sender" | "folder" | "more";

export interface ConnectionForm {
  readonly kind: Kind;
  readonly template: string;
  readonly groups: readonly (readonly [title: Heading, names: readonly string[]])[];
}

/** Properties of the two ways to sign in at a service. */
const WAYS = { client: ["tokenUrl", "clientId", "clientSecret"], token: ["token"] } as const;
const SIGN_IN = ["signIn", [...WAYS.client, ...WAYS.token]] as const;
/** Address of the trial service that is part of the product. */
export const TRIAL = "sandbox:";

/** Forms of the connections that a system template describes. */
export const FORMS: Readonly<Record<string, ConnectionForm>> = {
  pa: {
    kind: "pa",
    template: "e-invoicing",
    groups: [
      ["service", ["URL", "name", "organizationId"]],
      SIGN_IN,
      ["more", ["preflight", "protocol", "timeoutSeconds"]],
    ],
  },
  directory: {
    kind: "directory",
    template: "e-directory",
    groups: [["service", ["URL", "organizationId"]], SIGN_IN, ["more", ["timeoutSeconds"]]],
  },
  mail: {
    kind: "mail",
    template: "global",
    groups: [
      ["server", ["smtpHost", "smtpPort", "smtpSecure"]],
      ["account", ["smtpUser", "smtpPassword"]],
      ["sender", ["smtpFrom", "smtpFromName"]],
      ["more", ["smtpCa", "smtpTimeoutSeconds", "smtpConnections"]],
    ],
  },
  sftp: {
    kind: "sftp",
    template: "global",
    groups: [
      ["server", ["sftpHost", "sftpPort", "sftpHostKey"]],
      ["account", ["sftpUser", "sftpPassword", "sftpPrivateKey"]],
      ["folder", ["sftpDir", "sftpPattern"]],
    ],
  },
};

/** Form of one connection, with a test of the typed or the saved values. */
export function TemplateConnection({ of: { kind, template, groups } }: { of: ConnectionForm }) {
  const words = useWords(CONNECTIONS);
  const may = useMay();
  const isFixed = !may("templates:write") || !may("setup:write");
  const choices = useChoices(kind, isFixed);
  return (
    <GroupedTemplate
      name={template}
      isFixed={isFixed}
      groups={groups.map(([title, names]) => ({
        title: words[title],
        names,
        isFolded: title === "more",
        ...choices[title],
      }))}
    >
      {(form) =>
        // The result of a test is about one service.
        !isFixed && <Actions key={String(form.values["URL"] === TRIAL)} kind={kind} form={form} />}
    </GroupedTemplate>
  );
}

type Choice = Pick<PropertyGroup, "choice" | "isShown">;

/** Returns the choices of a service: the trial or a platform, and then the way to sign in there. */
function useChoices(kind: Kind, isFixed: boolean): Partial<Record<Heading, Choice>> {
  const words = useWords(CONNECTIONS);
  const [ownAddress, setOwnAddress] = useState("");
  const [way, setWay] = useState<keyof typeof WAYS>();
  const isTrial = ({ URL }: GroupedForm["values"]) => URL === TRIAL;
  const wayOf = (values: GroupedForm["values"]) =>
    way ?? (givenProperty(values, "token") ? "token" : "client");
  return {
    service: {
      isShown: (_, values) => !isTrial(values),
      choice: ({ values, set }) => (
        <Stack gap={6} align="flex-start">
          <SegmentedControl
            size="sm"
            aria-label={words.service}
            readOnly={isFixed}
            data={[
              { value: "trial", label: words.trials[kind] },
              { value: "own", label: words.owns[kind] },
            ]}
            value={isTrial(values) ? "trial" : "own"}
            onChange={(it) => {
              if (it === "own") return set("URL", ownAddress);
              setOwnAddress(givenProperty(values, "URL"));
              set("URL", TRIAL);
            }}
          />
          {isTrial(values) && <Text size="sm" c="dimmed">{words.trialHints[kind]}</Text>}
        </Stack>
      ),
    },
    // The trial directory is part of the product: its only further setting, a time limit, has no effect there.
    ...kind === "directory" && { more: { isShown: (_, values) => !isTrial(values) } },
    signIn: {
      isShown: (name, values) => !isTrial(values) && WAYS[wayOf(values)].some((it) => it === name),
      choice: ({ values, set }) =>
        !isTrial(values) && (
          <SegmentedControl
            size="sm"
            aria-label={words.signIn}
            readOnly={isFixed}
            data={[
              { value: "client", label: words.byClient },
              { value: "token", label: words.byToken },
            ]}
            value={wayOf(values)}
            onChange={(it) => {
              setWay(it === "token" ? "token" : "client");
              if (it === "client") set("token", ""); // a token would be used instead of the client
            }}
          />
        ),
    },
  };
}

function Actions({ kind, form }: { kind: Kind; form: GroupedForm }) {
  const words = useWords(CONNECTIONS);
  const test = useTest(kind);
  const onTested = {
    onSuccess: (it: Tested | undefined) => form.mark(it?.fields ?? {}),
    onError: (error: unknown) => form.mark(readWrongFields(error)),
  };
  const saveAndTest = () => {
    test.reset();
    void form.save().then(() => test.mutate({}, onTested), () => {}); // the form shows the error
  };
  const isMarked = Object.keys(readWrongFields(test.error)).some((it) => it in form.values);
  return (
    <Stack gap="md">
      <Result of={test.data} onPrint={(it) => form.set("sftpHostKey", it)} />
      <ProblemNote problem={isMarked ? undefined : test.error} />
      {kind === "directory" && test.data?.tested !== false && (
        <Text size="sm" c="dimmed">
          {words.looksUp} <PageLink href="/company">{words.toCompany}</PageLink>
        </Text>
      )}
      <Group gap="xs">
        <Button
          loading={form.isSaving || test.isPending}
          disabled={form.isStale}
          onClick={saveAndTest}
        >
          {words.saveAndTest}
        </Button>
        <Button
          variant="default"
          disabled={form.isSaving || test.isPending}
          onClick={() => test.mutate({ properties: form.values }, onTested)}
        >
          {words.testTyped}
        </Button>
      </Group>
    </Stack>
  );
}
