import { Alert, Box, Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { ApiProblem } from "../api/problem.ts";
import { defineWords, language, sentence, useWords } from "../i18n/language.ts";
import { useArrived } from "./arrived.ts";
import { Heading } from "./heading.tsx";
import { Icon, type IconName } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    offline: "The product cannot be reached",
    offlineHint: "Your input is kept. Work continues as soon as the product answers again.",
    askedHint: "Your input is kept. Try again as soon as the product answers.",
    unknownHint: "Your input is kept. The change may have been made: check before you try again.",
    over: "Your session had ended",
    overHint: "Your input is kept. Nothing was changed: try again.",
    forbidden: "You do not have the right to do this",
    forbiddenHint: (missing: string) =>
      `${missing} is missing. An administrator of users and roles can grant it.`,
    right: (name: string) => `The right “${name}”`,
    permission: (code: string) => `The permission ${code}`,
    gone: "This does not exist, or no longer exists",
    stale: "Another user changed this in the meantime",
    staleHint: "Reload the current state, check it and try again.",
    throttled: "Too many requests at once",
    wait: (seconds: number) => `Wait ${seconds} s and try again.`,
    refused: "This was not accepted",
    away: "An external service returned no usable answer",
    notNow: "This is not possible at the moment",
    broken: "The product could not do this",
    again: "Try again.",
    number: (request: string) =>
      `If the problem persists, give the operator the number of this call: ${request}`,
    retry: "Try again",
    loading: "Loading",
  },
  fr: {
    offline: "Le produit est injoignable",
    offlineHint: "Votre saisie est conservée. La suite se fera dès que le produit répondra.",
    askedHint: "Votre saisie est conservée. Recommencez dès que le produit répond.",
    unknownHint:
      "Votre saisie est conservée. La modification a peut-être été faite : vérifiez avant de recommencer.",
    over: "Votre session avait pris fin",
    overHint: "Votre saisie est conservée. Rien n'a été fait : recommencez.",
    forbidden: "Vous n'avez pas le droit de faire cela",
    forbiddenHint: (missing: string) =>
      `Il manque ${missing}. La personne qui gère les utilisateurs et les rôles peut vous l'accorder.`,
    right: (name: string) => `le droit « ${name} »`,
    permission: (code: string) => `la permission ${code}`,
    gone: "Cet élément n'existe pas ou plus",
    stale: "Un autre utilisateur a modifié cela entre-temps",
    staleHint: "Rechargez l'état actuel, vérifiez-le et recommencez.",
    throttled: "Trop de requêtes à la fois",
    wait: (seconds: number) => `Attendez ${seconds} s, puis réessayez.`,
    refused: "Cela n'a pas été accepté",
    away: "Un service externe n'a pas donné de réponse exploitable",
    notNow: "Ce n'est pas possible pour l'instant",
    broken: "Le produit n'a pas pu le faire",
    again: "Réessayez.",
    number: (request: string) =>
      `Si cela persiste, donnez à l'exploitant le numéro de cet appel : ${request}`,
    retry: "Réessayer",
    loading: "Chargement",
  },
});

/** Error with advice; empty without a problem. */
export function ProblemNote({ problem, retry }: { problem: unknown; retry?: () => void }) {
  const words = useWords(WORDS);
  if (problem === undefined || problem === null) return null;
  const { title, text, hint } = explainProblem(problem, words);
  return (
    <Alert color="red" title={title} icon={<Icon name="warning" />} role="alert" variant="light">
      {text && <Text size="sm" className="ps-wrap">{sentence(text)}</Text>}
      {hint && <Text size="sm">{hint}</Text>}
      {retry && (
        <Button size="compact-sm" variant="default" mt="xs" onClick={retry}>{words.retry}</Button>
      )}
    </Alert>
  );
}

/** Returns the text of `ProblemNote`, where there is no space for a note. */
export function problemText(problem: unknown): string {
  const { title, text, hint } = explainProblem(problem, WORDS[language()]);
  return [title, text, hint].filter(Boolean).map((it) => it?.replace(/[^.!?]$/, "$&.")).join(" ");
}

type Sentences = typeof WORDS.en;

/** Statuses that a proxy or a temporary state causes, not a fault of the product. */
const FAILURES: Readonly<Record<number, "away" | "notNow">> = {
  502: "away",
  503: "notNow",
  504: "away",
};

function explainProblem(
  problem: unknown,
  words: Sentences,
): { title: string; text?: string; hint?: string } {
  if (!(problem instanceof ApiProblem)) {
    return { title: words.broken, text: problem instanceof Error ? problem.message : "" };
  }
  const { status, message: text, permission, right, retryAfter, requestId } = problem;
  if (problem.isOffline) {
    const hint = problem.isUnknown ? words.unknownHint : words.offlineHint;
    return { title: words.offline, hint: problem.isAsked ? words.askedHint : hint };
  }
  if (status === 401) return { title: words.over, hint: words.overHint };
  if (status === 403) {
    // The hint names the permission that the API reported as missing.
    if (permission !== undefined) {
      const missing = right ? words.right(right) : words.permission(permission);
      return { title: words.forbidden, hint: words.forbiddenHint(missing) };
    }
    // A wrong value, such as a path outside the data folder, is no matter of rights.
    const isValue = problem.details["fields"] !== undefined;
    return { title: isValue ? words.refused : words.forbidden, text };
  }
  if (status === 404) return { title: words.gone, text };
  if (status === 412) return { title: words.stale, text, hint: words.staleHint };
  if (status === 429) return { title: words.throttled, text, hint: words.wait(retryAfter ?? 5) };
  if (status >= 500) {
    const again = retryAfter === undefined ? words.again : words.wait(retryAfter);
    const hint = requestId === undefined ? again : `${again} ${words.number(requestId)}`;
    return { title: words[FAILURES[status] ?? "broken"], text, hint };
  }
  return { title: words.refused, text };
}

/** Empty list with its reason and the next step. */
export function Empty({ icon, title, hint, children }: {
  icon: IconName;
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="ps-empty">
      <Box c="dimmed">
        <Icon name={icon} size={36} />
      </Box>
      <Text fw={600} ta="center">{title}</Text>
      {hint && <Text size="sm" c="dimmed" ta="center" maw={460}>{hint}</Text>}
      {children && <Group mt="xs">{children}</Group>}
    </Stack>
  );
}

/**
 * Page with head and content, shown together. `back` is the list it belongs to; `mark` is shown next to its
 * title.
 */
export function Page({ title, mark, hint, back, actions, children }: {
  title: string;
  mark?: ReactNode;
  hint?: ReactNode;
  back?: { readonly href: string; readonly label: string };
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { hasArrived, isAwaited } = useArrived();
  return (
    <>
      <Awaited is={!hasArrived || isAwaited} />
      <Stack
        gap="md"
        className="ps-page"
        aria-busy={!hasArrived}
        data-awaited={isAwaited || undefined}
      >
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box miw={0}>
            <Heading mark={mark}>{title}</Heading>
            {hint && <Text c="dimmed" size="sm" className="ps-head-hint">{hint}</Text>}
          </Box>
          {(back || actions) && (
            <Group gap="xs" className="ps-head-actions ps-no-print">
              {back && (
                <Button
                  component={Link}
                  href={back.href}
                  variant="default"
                  leftSection={<Icon name="back" />}
                >
                  {back.label}
                </Button>
              )}
              {actions}
            </Group>
          )}
        </Group>
        {children}
      </Stack>
    </>
  );
}

/** Delay of `.ps-late`. */
const LATE_MS = 250;

/** Announces loading to screen readers. It is outside the busy region, whose changes are not announced. */
function Awaited({ is }: { is: boolean }) {
  const words = useWords(WORDS);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!is) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [is]);
  return <VisuallyHidden role="status">{isLate && words.loading}</VisuallyHidden>;
}
