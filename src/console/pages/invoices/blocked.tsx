import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { BlockedMark, FlaggedStatus } from "../../components/invoices/attention.tsx";
import { ATTENTION } from "../../components/invoices/attention_words.ts";
import { type Submission, useBlocked } from "../../components/invoices/blocked.ts";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { LongText } from "../../components/long_text.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";

type Replay = components["schemas"]["Replay"];

const BLOCKED = defineWords({
  en: {
    blockedText: (attempts: string) =>
      `The platform gave no usable answer after ${attempts} attempts. We do not know whether it has the invoice.`,
    todo:
      "“Check and resend” asks the platform first. It sends the invoice only if the platform does not have it.",
    others: "Other options",
    replaySend: "Send without asking",
    replaySendQuestion:
      "Only if the platform's own screen shows that it does not have this invoice. If it has one, it may refuse the second copy.",
    replayAdopt: "The platform has it: use its flow",
    flowId: "Flow id on the platform",
    flowIdHint: "The platform's own screen shows it with the invoice.",
    goOn: "Resume",
    notReplayed: "It had already resumed",
  },
  fr: {
    blockedText: (attempts: string) =>
      `La plateforme n'a pas donné de réponse exploitable après ${attempts} essais. Nous ne savons pas si elle a reçu la facture.`,
    todo:
      "« Vérifier et renvoyer » interroge d'abord la plateforme. La facture ne part que si elle ne l'a pas.",
    others: "Autres options",
    replaySend: "Envoyer sans demander",
    replaySendQuestion:
      "Seulement si l'écran de la plateforme montre qu'elle n'a pas cette facture. Si elle l'a, elle peut refuser le second exemplaire.",
    replayAdopt: "La plateforme l'a : reprendre son flux",
    flowId: "Identifiant du flux sur la plateforme",
    flowIdHint: "L'écran de la plateforme l'affiche avec la facture.",
    goOn: "Reprendre",
    notReplayed: "L'envoi était déjà en cours",
  },
});

/** Status of an issued invoice. A blocked submission replaces it, because the stored status says nothing of it. */
export function IssuedStatus({ invoice, id }: { invoice: InvoiceView; id: string }) {
  return useBlocked(id) ? <BlockedMark /> : <FlaggedStatus invoice={invoice} />;
}

/** Note on a blocked submission with its one next step. Other steps are folded. */
export function BlockedNote({ id }: { id: string }) {
  const own = useWords(BLOCKED);
  const { blocked, technical } = useWords(ATTENTION);
  const may = useMay();
  const { number } = useFormats();
  const submission = useBlocked(id);
  if (!submission) return null;
  const { attempts, lastError } = submission;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={blocked}
      className="ps-no-print"
    >
      <Stack gap="xs">
        <Text size="sm">{own.blockedText(number(attempts))}</Text>
        {may("invoices:run") && (
          <>
            {submission.state === "parked" && <Text size="sm" fw={600}>{own.todo}</Text>}
            <ReplayChoice submission={submission} isMain />
          </>
        )}
        {lastError && (
          <details>
            <summary>{technical}</summary>
            <LongText text={lastError} />
          </details>
        )}
      </Stack>
    </Alert>
  );
}

/** Steps for a stuck submission. If the PA may have received it, the reader can state the known facts. */
export function ReplayChoice({ submission: { id, state }, isMain = false }: {
  submission: Submission;
  /** The button is the main step of the page. */
  isMain?: boolean;
}) {
  const words = useWords(INVOICE);
  const own = useWords(BLOCKED);
  const [flowId, setFlowId] = useState("");
  const replay = useChange(
    (body: Replay) => api.POST("/api/submissions/{id}/replay", { params: { path: { id } }, body }),
    ["/api/submissions", "/api/invoices"],
  );
  const go = async (body: Replay) => {
    const { data } = await replay.mutateAsync(body);
    toast(data?.replayed === false ? own.notReplayed : words.replayed);
  };
  const button = (action: Replay["action"]) => ({
    loading: replay.isPending && replay.variables.action === action,
    disabled: replay.isPending,
    // The error is shown below.
    onClick: () =>
      void go({ action, ...action === "adopt" && { flowId: flowId.trim() } }).catch(() => {}),
  });
  const label = state === "parked"
    ? words.replayProbe
    : state === "rejected"
    ? words.sendAgain
    : own.goOn;
  useOffered(isMain ? [{ label, run: button("probe").onClick }] : []);
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant={isMain ? "filled" : "default"} {...button("probe")}>{label}</Button>
      {state === "parked" && (
        <details style={{ width: "100%" }}>
          <summary>{own.others}</summary>
          <Stack gap="xs" align="flex-start" mt="xs">
            <Confirm
              size="xs"
              label={own.replaySend}
              question={own.replaySendQuestion}
              work={replay}
              run={() => go({ action: "send" })}
            />
            <Group gap="xs" align="flex-end" w="100%">
              <TextInput
                size="xs"
                label={own.flowId}
                description={own.flowIdHint}
                w={{ base: "100%", xs: 340 }}
                value={flowId}
                onChange={(it) => setFlowId(it.currentTarget.value)}
              />
              <Button
                size="xs"
                variant="default"
                {...button("adopt")}
                disabled={replay.isPending || !flowId.trim()}
              >
                {own.replayAdopt}
              </Button>
            </Group>
          </Stack>
        </details>
      )}
      <ProblemNote problem={replay.error} />
    </Stack>
  );
}
