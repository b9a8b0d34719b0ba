import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";

type Health = components["schemas"]["PaHealth"];

const PA_TROUBLE = defineWords({
  en: {
    down: "The PA cannot be reached",
    trial: "Reconnecting to the PA",
    retry: (time: string) =>
      `The next attempt is at ${time} at the latest. Pending submissions wait; nothing is lost.`,
    retryNext:
      "The next attempt comes with the next call. Pending submissions wait; nothing is lost.",
    state: "State of the PA",
    open: "Calls to the PA are paused after repeated failures",
  },
  fr: {
    down: "La PA est injoignable",
    trial: "Nouvel essai de connexion à la PA en cours",
    retry: (time: string) =>
      `Nouvel essai à ${time} au plus tard. Les envois en attente sont conservés, rien n'est perdu.`,
    retryNext:
      "Nouvel essai au prochain appel. Les envois en attente sont conservés, rien n'est perdu.",
    state: "État de la PA",
    open: "Les appels à la PA sont suspendus après des échecs répétés",
  },
});

/** Shows why submissions wait for the PA, and until when. */
export default function PaTrouble({ health, askedAt }: { health: Health; askedAt: number }) {
  const words = useWords(PA_TROUBLE);
  const { time } = useFormats();
  const { breaker, error, retryInMs } = health;
  const title = breaker === "open" ? words.open : breaker === "trial" ? words.trial : words.down;
  return (
    <Alert color="red" variant="light" icon={<Icon name="platform" />} title={title}>
      {error && <Text size="sm" className="ps-wrap">{error}</Text>}
      {retryInMs !== undefined && (
        <Text size="sm">
          {retryInMs === 0 ? words.retryNext : words.retry(time(askedAt + retryInMs))}
        </Text>
      )}
      <Anchor component={Link} href="/platform/state" c="inherit" underline="always" size="sm">
        {words.state}
      </Anchor>
    </Alert>
  );
}
