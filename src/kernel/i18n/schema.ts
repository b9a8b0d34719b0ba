import { FRENCH } from "./french.ts";
import { nearest } from "../text.ts";
import { inBoth, say, Sentence, type Text } from "./sentence.ts";

/** Issue that zod reports about a value, limited to the fields that users see. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  /** Type that a bound limits: `string`, `array`, `number`, … */
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean | undefined;
  readonly format?: string;
  readonly divisor?: number | bigint;
  /** Allowed values of the field that distinguishes a union. */
  readonly options?: readonly unknown[];
  /** Errors of each schema of any other union; their paths begin at the value. */
  readonly errors?: readonly (readonly Issue[])[];
}

/**
 * Explains why a schema rejects a value. It uses the schema's own sentence, or else ours for the kind of mistake,
 * never the library's, which is English only. `input` is the complete validated value.
 */
export function sentenceOfIssue(issue: Issue, input: unknown): Sentence {
  const given = issue.params?.["sentence"];
  if (given instanceof Sentence) return given;
  return FRENCH[issue.message] === undefined
    ? say`${textOfIssue(issue, valueAt(input, issue.path))}`
    : new Sentence(issue.message, []);
}

/** Maximum number of described problems of one value; further ones are counted. */
const MAX_ISSUES = 100;

/**
 * Lists each unknown key at its own place; `known` returns the keys that a place may have, for a suggestion. The last entry
 * counts the problems beyond the first 100.
 */
export function issuesByPlace<I extends Issue>(
  issues: readonly I[],
  known?: (path: I["path"]) => readonly string[] | undefined,
): I[] {
  const listed: I[] = [];
  let [count, last] = [0, issues[0]];
  for (const issue of issues) {
    const room = MAX_ISSUES - listed.length;
    count += issue.code === "unrecognized_keys" ? issue.keys?.length ?? 0 : 1;
    if (room <= 0) continue;
    last = issue;
    if (issue.code !== "unrecognized_keys") listed.push(issue);
    else listed.push(...unknownKeys(issue, { room, known: known?.(issue.path) ?? [] }));
  }
  if (count <= listed.length || !last) return listed;
  const sentence = say`At least ${count - listed.length} other problems are not listed`;
  return [...listed, { ...last, code: "custom", params: { sentence } }];
}

function unknownKeys<I extends Issue>(
  issue: I,
  { room, known }: { readonly room: number; readonly known: readonly string[] },
): I[] {
  return (issue.keys ?? []).slice(0, room).map((key) => {
    const meant = nearest(key, known);
    const sentence = meant === undefined
      ? say`there is no such key`
      : say`there is no such key; did you mean ${meant}?`;
    return { ...issue, path: [...issue.path, key], params: { sentence } };
  });
}

/** Returns a sentence for each error, with its position in `input`, below `root` if given. */
export function toSentences(
  { issues }: { readonly issues: readonly Issue[] },
  input: unknown,
  root?: string,
): Sentence[] {
  return issuesByPlace(issues).map((it) => {
    const place = [...root === undefined ? [] : [root], ...it.path].map(String).join(".");
    return place ? say`${place}: ${sentenceOfIssue(it, input)}` : sentenceOfIssue(it, input);
  });
}

/** Returns a refusal by a schema, for `addIssue`; a sentence without values may be given as a plain message. */
export function createIssue(sentence: Sentence) {
  return { code: "custom" as const, message: String(sentence), params: { sentence } };
}

/**
 * Returns the words of a sentence without values, for a check of a schema; they are translated where they are
 * answered.
 */
export function words(sentence: Sentence): string {
  return String(sentence);
}

/** Returns the value at a path. A schema may turn a text into a list; then the text is the given value. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : typeof value === "string"
        ? value
        : undefined,
    input,
  );
}

function textOfIssue(issue: Issue, input: unknown): Text {
  const { values = [], expected = "", format = "", options } = issue;
  switch (issue.code) {
    case "invalid_type":
      return describeExpected(KINDS[expected] ?? { fr: expected, en: expected }, input);
    case "invalid_value":
      return values.length === 1 ? only(values[0], input) : choice(values.map(formatValue), input);
    case "invalid_union":
      return options ? choice(options.map(formatValue), input) : either(issue.errors ?? [], input);
    case "too_big":
      return describeBound(issue, {
        value: issue.maximum,
        wanted: { fr: "admis", en: "allowed" },
        word: issue.inclusive === false
          ? { fr: "moins de", en: "less than" }
          : { fr: "au plus", en: "at most" },
      });
    case "too_small":
      return describeBound(issue, {
        value: issue.minimum,
        wanted: { fr: "attendu", en: "expected" },
        word: issue.inclusive === false
          ? { fr: "plus de", en: "more than" }
          : { fr: "au moins", en: "at least" },
      });
    case "invalid_format":
      return FORMATS[format] ?? {
        fr: `le texte n'a pas la forme attendue (${format})`,
        en: `the text is not of the form that is expected (${format})`,
      };
    case "not_multiple_of":
      return {
        fr: `un multiple de ${issue.divisor} est attendu`,
        en: `a multiple of ${issue.divisor} is expected`,
      };
    default:
      return NONE_OF_THEM;
  }
}

/**
 * Explains why no schema of a union accepts a value: the reason of the closest schema, or else the expectations
 * of all.
 */
function either(refusals: readonly (readonly Issue[])[], input: unknown): Text {
  if (input === undefined) return { fr: "il manque une valeur", en: "a value is missing" };
  const inside = refusals.find((it) => issuesByPlace(it).every(({ path }) => path.length > 0));
  if (inside) return inBoth(say`${toSentences({ issues: inside }, input)}`);
  const ofItsKind = refusals.filter(([it]) => it?.code !== "invalid_type");
  const all = (ofItsKind.length ? ofItsKind : refusals)
    .flatMap(([first]) => first ? [inBoth(sentenceOfIssue(first, input))] : []);
  if (!all.length) return NONE_OF_THEM;
  return {
    fr: [...new Set(all.map((it) => it.fr))].join(", ou "),
    en: [...new Set(all.map((it) => it.en))].join(", or "),
  };
}

const NONE_OF_THEM: Text = {
  fr: "la valeur n'est pas de celles qui sont attendues",
  en: "the value is none of those that are expected",
};

const KINDS: Readonly<Record<string, Text>> = {
  string: { fr: "un texte", en: "a text" },
  number: { fr: "un nombre", en: "a number" },
  int: { fr: "un nombre entier", en: "a whole number" },
  boolean: { fr: "true ou false", en: "true or false" },
  array: { fr: "une liste", en: "a list" },
  object: { fr: "un objet", en: "an object" },
  record: { fr: "un objet", en: "an object" },
  null: { fr: "null", en: "null" },
  date: { fr: "une date", en: "a date" },
};

const FORMATS: Readonly<Record<string, Text>> = {
  email: { fr: "une adresse de courriel est attendue", en: "an e-mail address is expected" },
  url: { fr: "une adresse (URL) est attendue", en: "an address (URL) is expected" },
  uuid: { fr: "un UUID est attendu", en: "a UUID is expected" },
  date: { fr: "une date AAAA-MM-JJ est attendue", en: "a date YYYY-MM-DD is expected" },
  datetime: {
    fr: "une date et une heure ISO 8601 sont attendues",
    en: "a date and time of ISO 8601 are expected",
  },
};

function choice(values: readonly string[], input: unknown): Text {
  const all = values.join(", ");
  if (input === undefined) {
    return { fr: `il manque une valeur parmi ${all}`, en: `one of ${all} is missing` };
  }
  const given = typeof input === "object" ? undefined : formatValue(input).slice(0, 100);
  return {
    fr: `une valeur parmi ${all} est attendue${given === undefined ? "" : `, et non ${given}`}`,
    en: `one of ${all} is expected${given === undefined ? "" : `, not ${given}`}`,
  };
}

/** Describes the only allowed value; both have the expected type, so the value itself is shown. */
function only(value: unknown, input: unknown): Text {
  const one = formatValue(value);
  if (typeof input !== typeof value) return describeExpected({ fr: one, en: one }, input);
  const given = formatValue(input).slice(0, 100);
  return { fr: `${one} est attendu, et non ${given}`, en: `${one} is expected, not ${given}` };
}

/**
 * Describes the expected type. A text given for a number is shown, otherwise only its type: a value may be a
 * secret.
 */
function describeExpected(what: Text, input: unknown): Text {
  if (input === undefined) return { fr: `il manque ${what.fr}`, en: `${what.en} is missing` };
  const kind = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  const isNumeral = what === KINDS["number"] || what === KINDS["int"];
  const text = isNumeral && typeof input === "string"
    ? formatValue(input).slice(0, 100)
    : undefined;
  const given = text === undefined ? KINDS[kind] : { fr: text, en: text };
  return given === undefined || given === what
    ? { fr: `${what.fr} est attendu`, en: `${what.en} is expected` }
    : {
      fr: `${what.fr} est attendu, et non ${given.fr}`,
      en: `${what.en} is expected, not ${given.en}`,
    };
}

const COUNTED: Readonly<Record<string, Text>> = {
  string: { fr: "caractère", en: "character" },
  array: { fr: "élément", en: "element" },
};

function describeBound(
  { origin }: Issue,
  { word, wanted, value }: {
    readonly word: Text;
    readonly wanted: Text;
    readonly value: number | bigint | undefined;
  },
): Text {
  const [fr, en] = [`${word.fr} ${value}`, `${word.en} ${value}`];
  const counted = origin === undefined ? undefined : COUNTED[origin];
  if (counted) {
    const s = Number(value) === 1 ? "" : "s";
    return {
      fr: `${fr} ${counted.fr}${s} ${s ? "sont" : "est"} ${wanted.fr.replace(/[^s]$/, `$&${s}`)}`,
      en: `${en} ${counted.en}${s} ${s ? "are" : "is"} ${wanted.en}`,
    };
  }
  return { fr: `un nombre d'${fr} est attendu`, en: `a number of ${en} is expected` };
}

function formatValue(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? String(value);
}
