import { type Address, type Delivery, type Party, sirenOf, siretOf } from "#src/domain/ubl/mod.ts";
import type { Words } from "../labels/words.ts";
import { ensure, heightOf, wrapIn, writeLines } from "../flow.ts";
import type { Sheet, TextLine } from "../sheet.ts";
import { BODY, HEADING, PAGE, SMALL, STRONG, TINT, WIDTH } from "../theme.ts";
import { type Fact, joined, known, type Scene } from "./scene.ts";

const GAP = 12;
const PAD = 8;
/** Lines a card may have; no postal address comes near. */
const MOST_LINES = 40;
const LISTED_SCHEMES = new Set(["0002", "0009"]);

/** Seller and buyer side by side; below them whoever else takes part. */
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

function partyCard(party: Party, title: string, words: Words): Card {
  const { label } = words;
  const facts: Fact[] = [
    ...identifiers(party, words),
    [label.vatId, party.vatId],
    [label.taxId, party.taxRegistrationId],
    [label.endpoint, joined([party.endpoint?.scheme, party.endpoint?.value], ":")],
  ];
  return {
    title,
    name: party.name,
    address: addressLines(party.address, words),
    facts: known(facts),
    contact: joined([party.contact?.name, party.contact?.phone, party.contact?.email], " · "),
  };
}

/** A delivery is worth a card only when it says where or to whom. */
function deliveryCard(delivery: Delivery, words: Words): Card | undefined {
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

function identifiers(party: Party, { label }: Words): Fact[] {
  const siren = sirenOf(party);
  const siret = siretOf(party);
  const foreign = party.legalId?.value === siren ? undefined : party.legalId?.value;
  const others = party.ids.filter((id) => !LISTED_SCHEMES.has(id.scheme ?? ""));
  return [
    [label.siren, siren && spaced(siren, 3)],
    [label.siret, siret && `${spaced(siret.slice(0, 9), 3)} ${siret.slice(9)}`],
    [label.legalId, foreign],
    ...others.map((id): Fact => [label.partyId, id.value]),
  ];
}

function addressLines(address: Address | undefined, words: Words): string[] {
  if (!address) return [];
  const city = joined([address.postCode, address.city], " ");
  const country = words.country(address.country);
  return [address.line1, address.line2, address.line3, joined([city, country], ", ")]
    .filter((line) => line !== undefined);
}

function drawCards({ sheet, words }: Scene, columns: number, cards: readonly Card[]): void {
  if (cards.length === 0) return;
  const width = (WIDTH - GAP * (columns - 1)) / columns;
  const contents = cards.map((card) =>
    cardLines(sheet, card, { words, width: width - 2 * PAD }).slice(0, MOST_LINES)
  );
  const height = Math.max(...contents.map(heightOf)) + 2 * PAD;
  ensure(sheet, height);
  contents.forEach((lines, index) => {
    const x = PAGE.left + index * (width + GAP);
    sheet.box({ x, y: sheet.y, width, height, color: TINT });
    writeLines(sheet, lines, { x: x + PAD, y: sheet.y + PAD - 1, width: width - 2 * PAD });
  });
  sheet.y += height + GAP;
}

function cardLines(
  sheet: Sheet,
  card: Card,
  { words, width }: { readonly words: Words; readonly width: number },
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

function spaced(digits: string, size: number): string {
  return digits.replace(new RegExp(`(.{${size}})(?=.)`, "g"), "$1\u00A0");
}
