import { localiserOf } from "#src/definitions/localiser.ts";
import { textOf, type Value } from "#src/domain/expression/mod.ts";
import { sendEmail } from "#src/features/mail/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { Action } from "./action.ts";

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/** Writes an e-mail to users, to everybody of a role, or to addresses. */
export const notify: Action<"notify"> = {
  needs: () => [{ code: "email:send", what: say`a step of the job` }],
  isIdempotent: () => true, // the same message again has the same Message-ID
  async perform(needs, { given, run, actor, snapshot, index, progress, keep }) {
    const { to, template, data = {} } = given;
    const language = actor.language ?? "fr";
    const { text } = localiserOf(snapshot, [language]);
    const values = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, textOf(value as Value)]),
    );
    const filled = (message: string) => filledMessage(message, values);
    const label = text(run.definition.label) ?? run.job;
    const subject = template === undefined
      ? text(given.subject) ?? label
      : text(given.subject) ?? text(`$labels.${template}.subject`) ?? label;
    const body = text(template === undefined ? given.text : `$labels.${template}`) ?? "";
    const addresses = await addressesOf(needs, to);
    if (!addresses.length) {
      throw new AppError("refused", say`Nobody of ${to} has an e-mail address`);
    }
    const id = typeof progress?.["mail"] === "string" ? progress["mail"] : crypto.randomUUID();
    if (index === undefined) await keep({ mail: id });
    const { messageId } = await sendEmail(needs, {
      id,
      to: addresses.join(","),
      cc: "",
      subject: filled(subject).replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 200),
      body: filled(body),
      language,
    });
    return { output: { message_id: messageId, recipients: addresses.length } };
  },
};

const MOST_TEXT = 1_000_000;

/** A place without a value stays as it is. Throws AppError `invalid` before it is too long. */
function filledMessage(message: string, values: Readonly<Record<string, string>>): string {
  let length = message.length;
  return message.replace(PLACE, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] ?? "" : place;
    length += value.length;
    if (length > MOST_TEXT) {
      throw new AppError("invalid", say`A text of more than ${MOST_TEXT} characters`);
    }
    return value;
  });
}

async function addressesOf(
  { accounts }: Pick<Deps, "accounts">,
  to: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(
    to.map((it) => it.includes("@") ? [it] : accounts.emailsOf(it)),
  );
  return [...new Set(found.flat())];
}
