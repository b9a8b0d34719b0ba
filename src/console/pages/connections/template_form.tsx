import { Button, Group, Stack } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { type GroupedForm, GroupedTemplate } from "../../components/grouped_template.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { type Kind, Result, useTest } from "./result.tsx";
import { CONNECTIONS } from "./words.ts";

/** Words that are the heading of a group. */
type Heading = "service" | "signIn" | "server" | "account" | "sender" | "folder" | "more";

export interface ConnectionForm {
  readonly kind: Kind;
  readonly template: string;
  readonly groups: readonly (readonly [title: Heading, names: readonly string[]])[];
}

const SIGN_IN = ["signIn", ["tokenUrl", "clientId", "clientSecret", "token"]] as const;

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
  return (
    <GroupedTemplate
      name={template}
      isFixed={isFixed}
      groups={groups.map(([title, names]) => ({
        title: words[title],
        names,
        isFolded: title === "more",
      }))}
    >
      {(form) => !isFixed && <Actions kind={kind} form={form} />}
    </GroupedTemplate>
  );
}

function Actions({ kind, form }: { kind: Kind; form: GroupedForm }) {
  const words = useWords(CONNECTIONS);
  const test = useTest(kind);
  const saveAndTest = () => {
    test.reset();
    void form.save().then(() => test.mutate({}), () => {}); // the form shows the error
  };
  return (
    <Stack gap="md">
      <Result of={test.data} onPrint={(it) => form.set("sftpHostKey", it)} />
      <ProblemNote problem={test.error} />
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
          onClick={() => test.mutate({ properties: form.values })}
        >
          {words.testTyped}
        </Button>
      </Group>
    </Stack>
  );
}
