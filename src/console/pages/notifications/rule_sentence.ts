import { parseCalls } from "./rule_calls.ts";

/** Words of the sentence that describes a rule. */
export interface SentenceWords {
  readonly anyStatus: string;
  readonly statuses: (list: string) => string;
  readonly reasons: (list: string) => string;
  readonly directions: Readonly<Record<string, string>>;
  readonly or: string;
  readonly and: string;
  readonly message: (to: string) => string;
  readonly email: (to: string) => string;
  readonly calls: (count: number) => string;
  readonly toEverybody: string;
  readonly toRole: (name: string) => string;
  readonly toUser: (name: string) => string;
  readonly nothing: string;
  readonly sentence: (when: string, deeds: string) => string;
}

type Given = Readonly<Record<string, string>>;

function findGiven(properties: Given, key: string): string | undefined {
  return new Map(Object.entries(properties)).get(key);
}

function listGiven(properties: Given, key: string): string[] {
  return (findGiven(properties, key) ?? "").split(/[,;]/).map((it) => it.trim()).filter(Boolean);
}

const isRoleNamed = (of: Given) => findGiven(of, "target.type")?.toLowerCase() === "role";
const isInPortal = (of: Given) => (findGiven(of, "channel.portal") ?? "Y") === "Y";

/** Returns the recipients of a rule's e-mails: the user of its message, and the listed addresses. */
function listEmails(properties: Given): readonly string[] {
  const user = isInPortal(properties) && !isRoleNamed(properties) &&
    findGiven(properties, "target.name");
  return [...user ? [user] : [], ...listGiven(properties, "email.list")];
}

/** Tells whether a rule sends e-mails to nobody, which the product refuses. */
export function lacksAddress(properties: Given): boolean {
  return findGiven(properties, "channel.email") === "Y" && listEmails(properties).length === 0;
}

/** Writes a rule as one sentence: its trigger, then its messages and calls. */
export function describeRule(
  properties: Given,
  { words, nameCode, nameRole, channels }: {
    readonly words: SentenceWords;
    readonly nameCode: (property: string, code: string) => string;
    readonly nameRole: (name: string) => string;
    /** Names of the rule's other channels. */
    readonly channels: readonly string[];
  },
): string {
  const given = new Map(Object.entries(properties));
  const name = (key: string) =>
    joinWords(listGiven(properties, key).map((it) => nameCode(key, it)), words.or);
  const [statuses, reasons] = [name("trigger.status"), name("trigger.reason")];
  const when = [
    statuses ? words.statuses(statuses) : words.anyStatus,
    reasons && words.reasons(reasons),
    words.directions[given.get("direction") ?? ""] ?? "",
  ].filter(Boolean).join(" ");
  const target = given.get("target.name") ?? "";
  const to = target === ""
    ? words.toEverybody
    : isRoleNamed(properties)
    ? words.toRole(nameRole(target))
    : words.toUser(target);
  const emails = listEmails(properties);
  const calls = parseCalls(given.get("actions") ?? "")?.length ?? 1;
  const deeds = [
    isInPortal(properties) && words.message(to),
    given.get("channel.email") === "Y" && words.email(joinWords(emails, words.and) || "…"),
    ...channels,
    calls > 0 && words.calls(calls),
  ].filter((it) => it !== false);
  return words.sentence(when, deeds.join(", ") || words.nothing);
}

function joinWords(list: readonly string[], word: string): string {
  const last = list.at(-1) ?? "";
  return list.length < 2 ? last : `${list.slice(0, -1).join(", ")} ${word} ${last}`;
}
