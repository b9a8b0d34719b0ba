import type { Language } from "#src/kernel/language.ts";
import type { Mail } from "#src/ports/mailer.ts";

const TEXTS = {
  en: {
    subject: "Test e-mail from Passerelle",
    text:
      "This is a test of the mail server, which somebody started on the page Connections.\nNo answer is needed.\n",
  },
  fr: {
    subject: "Courriel de test de Passerelle",
    text:
      "Ceci est un test du serveur de courriel, lancé depuis la page Connexions.\nAucune réponse n'est attendue.\n",
  },
} as const;

/** Writes the e-mail of a test; its text is fixed, so that nobody sends others through it. */
export function writeTestMail(
  { language, to, from, ...mail }: Pick<Mail, "from" | "fromName" | "date"> & {
    readonly to: string;
    readonly language: Language;
  },
): Mail {
  const messageId = `${crypto.randomUUID()}@${from.slice(from.indexOf("@") + 1)}`;
  return { ...mail, ...TEXTS[language], messageId, from, to: [to] };
}
