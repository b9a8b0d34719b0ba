import { STEP_CODES } from "#src/definitions/jobs.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import { formatText, type Value } from "#src/domain/expression/mod.ts";
import { sendEmail } from "#src/gateway/mail/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { StepAction } from "./action.ts";

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/** Writes an e-mail to users, to everybody of a role, or to addresses. */
export const notify: StepAction<"notify"> = {
  needs: () => [{ code: STEP_CODES.notify, what: say`a step of the job` }],
  isIdempotent: () => true, // the same message again has the same Message-ID
  async perform(deps, { given, run, actor, snapshot, index, progress, keep }) {
    const { to, template, data = {} } = given;
    const language = actor.language ?? "fr";
    const { text } = createLocaliser(snapshot, [language]);
    const values = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, formatText(value as Value)]),
    );
    const fill = (message: string) => filledMessage(message, values);
    const label = text(run.definition.label) ?? run.job;
    const subject = template === undefined
      ? text(given.subject) ?? label
      : text(given.subject) ?? text(`$labels.${template}.subject`) ?? label;
    const body = text(template === undefined ? given.text : `$labels.${template}`) ?? "";
    const addresses = await readAddresses(deps, to);
    if (!addresses.length) {
      throw new AppError("refused", say`Nobody of ${to} has an e-mail address`);
    }
    const id = typeof progress?.["mail"] === "string" ? progress["mail"] : crypto.randomUUID();
    if (index === undefined) await keep({ mail: id });
    const { messageId } = await sendEmail(deps, {
      id,
      to: addresses.join(","),
      cc: "",
      subject: fill(subject).replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 200),
      body: fill(body),
      language,
    });
    return { output: { message_id: messageId, recipients: addresses.length } };
  },
};

const MAX_TEXT = 1_000_000;

/** Fills a message; placeholders without a value stay. Throws AppError `invalid` before the result grows too long. */
function filledMessage(message: string, values: Readonly<Record<string, string>>): string {
  let length = message.length;
  return message.replace(PLACE, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] ?? "" : place;
    length += value.length;
    if (length > MAX_TEXT) {
      throw new AppError("invalid", say`A text of more than ${MAX_TEXT} characters`);
    }
    return value;
  });
}

async function readAddresses(
  { accounts }: Pick<Deps, "accounts">,
  to: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(
    to.map((it) => it.includes("@") ? [it] : accounts.emailsOf(it)),
  );
  return [...new Set(found.flat())];
}
