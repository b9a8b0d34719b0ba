import {
  type Address,
  type Delivery,
  type Party,
  readSiren,
  readSiret,
} from "#src/domain/ubl/mod.ts";
import type { PageWords } from "../labels/words.ts";
import { computeHeight, ensure, wrapIn, writeLines } from "../flow.ts";
import type { DrawingSurface, TextLine } from "../sheet.ts";
import { BODY, HEADING, PAGE, SMALL, STRONG, TINT, WIDTH } from "../theme.ts";
import { filterKnown, joinParts, type LabelledValue, type Scene } from "./scene.ts";

const GAP = 12;
const PAD = 8;
/** Largest number of lines in a card; postal addresses are far shorter. */
const MAX_LINES = 40;
const LISTED_SCHEMES = new Set(["0002", "0009"]);

/** Draws seller and buyer side by side, and the other parties below. */
export function drawParties(scene: Scene): void {
  const { invoice, words } = scene;
  const { label } = words;
  drawCards(scene, 2, [
    partyCard(invoice.seller, label.seller, words),
    partyCard(invoice.buyer, label.buyer, words),
  ]);
  const others = [
    invoice.payee && partyCard(invoice.payee, label.payee, words),
    invoice.taxRepresentative &&
    partyCard(invoice.taxRepresentative, label.taxRepresentative, words),
    invoice.delivery && deliveryCard(invoice.delivery, words),
  ].filter((card) => card !== undefined);
  drawCards(scene, Math.max(2, others.length), others);
}

interface Card {
  readonly title: string;
  readonly name: string | undefined;
  readonly address: readonly string[];
  readonly facts: readonly (readonly [string, string])[];
  readonly contact: string | undefined;
}

function partyCard(party: Party, title: string, words: PageWords): Card {
  const { label } = words;
  const facts: LabelledValue[] = [
    ...identifiers(party, words),
    [label.vatId, party.vatId],
    [label.taxId, party.taxRegistrationId],
    [label.endpoint, joinParts([party.endpoint?.scheme, party.endpoint?.value], ":")],
  ];
  return {
    title,
    name: party.name,
    address: addressLines(party.address, words),
    facts: filterKnown(facts),
    contact: joinParts([party.contact?.name, party.contact?.phone, party.contact?.email], " · "),
  };
}

/** Returns the card of a delivery, or undefined if it names neither an address nor a recipient. */
function deliveryCard(delivery: Delivery, words: PageWords): Card | undefined {
  const address = addressLines(delivery.address, words);
  if (delivery.partyName === undefined && address.length === 0) return undefined;
  return {
    title: words.label.delivery,
    name: delivery.partyName,
    address,
    facts: [],
    contact: undefined,
  };
}

function identifiers(party: Party, { label }: PageWords): LabelledValue[] {
  const siren = readSiren(party);
  const siret = readSiret(party);
  const foreign = party.legalId?.value === siren ? undefined : party.legalId?.value;
  const others = party.ids.filter((id) => !LISTED_SCHEMES.has(id.scheme ?? ""));
  return [
    [label.siren, siren && spaceDigits(siren, 3)],
    [label.siret, siret && `${spaceDigits(siret.slice(0, 9), 3)} ${siret.slice(9)}`],
    [label.legalId, foreign],
    ...others.map((id): LabelledValue => [label.partyId, id.value]),
  ];
}

function addressLines(address: Address | undefined, words: PageWords): string[] {
  if (!address) return [];
  const city = joinParts([address.postCode, address.city], " ");
  const country = words.country(address.country);
  return [address.line1, address.line2, address.line3, joinParts([city, country], ", ")]
    .filter((line) => line !== undefined);
}

function drawCards({ sheet, words }: Scene, columns: number, cards: readonly Card[]): void {
  if (cards.length === 0) return;
  const width = (WIDTH - GAP * (columns - 1)) / columns;
  const contents = cards.map((card) =>
    cardLines(sheet, card, { words, width: width - 2 * PAD }).slice(0, MAX_LINES)
  );
  const height = Math.max(...contents.map(computeHeight)) + 2 * PAD;
  ensure(sheet, height);
  contents.forEach((lines, index) => {
    const x = PAGE.left + index * (width + GAP);
    sheet.box({ x, y: sheet.y, width, height, color: TINT });
    sheet.begin("P");
    writeLines(sheet, lines, { x: x + PAD, y: sheet.y + PAD - 1, width: width - 2 * PAD });
    sheet.end();
  });
  sheet.y += height + GAP;
}

function cardLines(
  sheet: DrawingSurface,
  card: Card,
  { words, width }: { readonly words: PageWords; readonly width: number },
): TextLine[] {
  return [
    ...wrapIn(sheet, card.title.toUpperCase(), { style: { ...HEADING, size: 7 }, width }),
    ...wrapIn(sheet, card.name, { style: { ...STRONG, size: 9.5 }, width }),
    ...card.address.flatMap((line) => wrapIn(sheet, line, { style: BODY, width })),
    ...card.facts.flatMap(([label, value]) =>
      wrapIn(sheet, words.pair(label, value), { style: SMALL, width })
    ),
    ...wrapIn(sheet, card.contact, { style: SMALL, width }),
  ];
}

function spaceDigits(digits: string, size: number): string {
  return digits.replace(new RegExp(`(.{${size}})(?=.)`, "g"), "$1\u00A0");
}
