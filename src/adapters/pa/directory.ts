import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type Directory,
  type DirectoryAnswer,
  type DirectoryLine,
  type DirectorySubject,
  isActive,
} from "#src/ports/directory.ts";
import { type PaContext, PaError, type PaSettings } from "#src/ports/pa.ts";
import { type PaOutbound, PUBLIC } from "./http.ts";
import { parseJson, parseObject, parseText } from "./json.ts";
import { openSession, type PaSession } from "./session.ts";

/** XP Z12-013 Directory Service. One client per settings: it holds the token. */
export function directoryClient(settings: PaSettings, reach: PaOutbound = PUBLIC): Directory {
  const session = openSession(settings, reach);
  return {
    async check(subject, context) {
      const wanted = readSubject(subject);
      const lines = wanted.field === "addressingIdentifier"
        ? await parseLine(session, wanted.value, context)
        : await readLines(session, wanted, context);
      if (wanted.field !== "siret" || lines.some(isActive)) return getAnswer(wanted, lines);
      return await checkCompany(session, { siret: wanted, lines }, context);
    },
  };
}

interface Wanted {
  readonly field: "siren" | "siret" | "addressingIdentifier";
  readonly value: string;
}

const SCHEMES: Readonly<Record<string, Wanted["field"]>> = {
  "0002": "siren",
  "0009": "siret",
  "0225": "addressingIdentifier",
};

function readSubject(subject: DirectorySubject): Wanted {
  if ("siren" in subject) return parseNumber("siren", subject.siren);
  if ("siret" in subject) return parseNumber("siret", subject.siret);
  const [, scheme, value] = /^\s*(\d{4}):(\S{1,125})\s*$/.exec(subject.identifier) ?? [];
  if (scheme === undefined || value === undefined) {
    throw new AppError("invalid", say`Identifier ${subject.identifier} is not <scheme>:<number>`);
  }
  const field = SCHEMES[scheme];
  if (field === undefined) {
    throw new AppError(
      "invalid",
      say`Scheme ${scheme} is not 0002 (SIREN), 0009 (SIRET) or 0225 (address)`,
    );
  }
  return field === "addressingIdentifier" ? { field, value } : parseNumber(field, value);
}

function parseNumber(field: "siren" | "siret", text: string): Wanted {
  const value = text.replaceAll(/\s/g, "");
  const length = field === "siren" ? 9 : 14;
  if (value.length !== length || !/^\d+$/.test(value)) {
    throw new AppError("invalid", say`${field.toUpperCase()} ${text} is not ${length} digits`);
  }
  return { field, value };
}

/**
 * Answers for an establishment without an active address: its company may receive the invoice instead. Addresses of
 * the company itself win over those of its other establishments.
 */
async function checkCompany(
  session: PaSession,
  { siret, lines }: { readonly siret: Wanted; readonly lines: readonly DirectoryLine[] },
  context: PaContext | undefined,
): Promise<DirectoryAnswer> {
  const company = { field: "siren", value: siret.value.slice(0, 9) } as const;
  const active = (await readLines(session, company, context)).filter(isActive);
  const own = active.filter((it) => it.siret === undefined);
  const shown = own.length > 0 ? own : active;
  if (shown.length === 0) return getAnswer(siret, lines);
  const list = listAddresses(shown);
  return {
    found: true,
    isCompanyOnly: true,
    lines: shown,
    messageFr:
      `La société peut recevoir à l'adresse ${list} ; cet établissement (SIRET ${siret.value}) n'a pas d'adresse à lui`,
    messageEn:
      `The company can receive at the address ${list}; this establishment (SIRET ${siret.value}) has no address of its own`,
  };
}

async function readLines(
  session: PaSession,
  wanted: Wanted,
  context: PaContext | undefined,
): Promise<readonly DirectoryLine[]> {
  const answer = await session.ask({
    method: "POST",
    path: "v1/directory-line/search",
    json: {
      filters: { [wanted.field]: { op: "strict", value: wanted.value } },
      limit: 100,
      ignore: 0,
    },
  }, context).catch(noneWhenMissing);
  if (!answer) return [];
  const results = parseObject(parseJson(answer.bytes))?.["results"];
  if (!Array.isArray(results)) {
    throw session.malformed(say`the answer cannot be understood`, answer);
  }
  return results.flatMap((one) => readLine(one) ?? []);
}

async function parseLine(
  session: PaSession,
  address: string,
  context: PaContext | undefined,
): Promise<readonly DirectoryLine[]> {
  const path = `v1/directory-line/code:${encodeURIComponent(address)}`;
  const answer = await session.ask({ method: "GET", path }, context).catch(noneWhenMissing);
  if (!answer) return [];
  const line = readLine(parseJson(answer.bytes));
  if (!line) throw session.malformed(say`the answer cannot be understood`, answer);
  return [line];
}

function noneWhenMissing(error: unknown): undefined {
  if (error instanceof PaError && error.httpStatus === 404) return undefined;
  throw error;
}

function readLine(value: unknown): DirectoryLine | undefined {
  const body = parseObject(value);
  const addressingIdentifier = parseText(body?.["addressingIdentifier"]);
  if (!body || addressingIdentifier === undefined) return undefined;
  return {
    addressingIdentifier,
    status: parseText(body["directoryLineStatus"]),
    platformType: parseText(body["platformType"]),
    siren: parseText(body["siren"]),
    siret: parseText(body["siret"]),
    routingIdentifier: parseText(body["routingIdentifier"]),
    addressingSuffix: parseText(body["addressingSuffix"]),
  };
}

function getAnswer(wanted: Wanted, lines: readonly DirectoryLine[]): DirectoryAnswer {
  const active = lines.filter(isActive);
  return {
    found: active.length > 0,
    isCompanyOnly: false,
    lines,
    ...sentences(wanted, lines, active),
  };
}

const MAX_LISTED = 5;

function listAddresses(lines: readonly DirectoryLine[]): string {
  const shown = lines.slice(0, MAX_LISTED).map((it) => it.addressingIdentifier).join(", ");
  return lines.length > MAX_LISTED ? `${shown}, …` : shown;
}

const NAMES = {
  siren: { fr: "Le SIREN", en: "SIREN" },
  siret: { fr: "Le SIRET", en: "SIRET" },
  addressingIdentifier: { fr: "L'adresse", en: "Address" },
} as const;

function sentences(
  wanted: Wanted,
  lines: readonly DirectoryLine[],
  active: readonly DirectoryLine[],
): Pick<DirectoryAnswer, "messageFr" | "messageEn"> {
  const fr = `${NAMES[wanted.field].fr} ${wanted.value}`;
  const en = `${NAMES[wanted.field].en} ${wanted.value}`;
  const list = listAddresses(active);
  if (active.length > 0) {
    return {
      messageFr: `${fr} peut recevoir des factures (${list})`,
      messageEn: `${en} can receive invoices (${list})`,
    };
  }
  if (lines.length === 0) {
    return {
      messageFr: `${fr} n'est pas dans l'annuaire`,
      messageEn: `${en} is not in the directory`,
    };
  }
  const states = lines.slice(0, MAX_LISTED).map((line) =>
    `${line.addressingIdentifier}: ${line.status}`
  ).join(", ");
  return {
    messageFr: `${fr} est dans l'annuaire sans adresse active (${states})`,
    messageEn: `${en} is in the directory without an active address (${states})`,
  };
}
