import { frenchVatKey } from "#src/domain/validation/identifiers.ts";

/** Company or person of the sample data. None of them exists. */
export interface SampleParty {
  readonly name: string;
  readonly street: string;
  readonly postCode: string;
  readonly city: string;
  readonly country: string;
  /** Invented SIREN; absent for a person, a foreign company, and a customer whose SIREN is missing. */
  readonly siren?: string;
  readonly vatId?: string;
}

function frenchCompany(
  name: string,
  siren: string,
  [street, postCode, city]: readonly [string, string, string],
): SampleParty {
  return {
    name,
    siren,
    vatId: `FR${frenchVatKey(siren)}${siren}`,
    street,
    postCode,
    city,
    country: "FR",
  };
}

/** The company whose sales and purchases the sample data shows. */
export const OUR_COMPANY = frenchCompany("Menuiserie Exemple SAS", "999000102", [
  "12 rue des Érables",
  "69007",
  "Lyon",
]);

const hotel = frenchCompany("Hôtel du Lac Bleu", "999000706", [
  "2 quai du Port",
  "74000",
  "Annecy",
]);

const { siren: _, ...hotelWithoutSiren } = hotel;

export const CUSTOMERS = {
  clinic: frenchCompany("Clinique des Trois Vallées", "999000201", [
    "8 avenue de la Gare",
    "38000",
    "Grenoble",
  ]),
  builder: frenchCompany("Bâtir Ensemble SA", "999000300", [
    "140 cours Lafayette",
    "69003",
    "Lyon",
  ]),
  school: frenchCompany("École de cuisine Grandjean", "999000409", [
    "5 place Carnot",
    "42000",
    "Saint-Étienne",
  ]),
  shop: frenchCompany("Librairie du Vieux Pont", "999000508", [
    "31 rue Sainte-Catherine",
    "33000",
    "Bordeaux",
  ]),
  architect: frenchCompany("Atelier Voisin Architectes", "999000607", [
    "17 rue de la Monnaie",
    "59000",
    "Lille",
  ]),
  hotel,
  /** The SIREN is missing, so a person must choose the treatment. */
  hotelWithoutSiren,
  belgian: {
    name: "Houtwerk Peeters BV",
    street: "Meir 40",
    postCode: "2000",
    city: "Antwerpen",
    country: "BE",
    vatId: "BE0999000112",
  },
  consumer: {
    name: "Camille Moreau",
    street: "3 chemin des Vignes",
    postCode: "69270",
    city: "Fontaines-sur-Saône",
    country: "FR",
  },
} as const satisfies Record<string, SampleParty>;

export const SUPPLIERS = {
  wood: frenchCompany("Scierie Bellegarde", "999001001", ["Zone des Pins", "39000", "Lons"]),
  tools: frenchCompany("Outillage Rhodanien", "999001100", ["9 rue Neuve", "26000", "Valence"]),
  paint: frenchCompany("Peintures Cézanne", "999001209", ["1 rue Haute", "13100", "Aix"]),
  transport: frenchCompany("Transports Morel", "999001308", ["44 rue du Rail", "21000", "Dijon"]),
  energy: frenchCompany("Énergies du Forez", "999001407", ["6 rue Basse", "42600", "Montbrison"]),
} as const satisfies Record<string, SampleParty>;
