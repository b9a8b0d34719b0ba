import { bindArguments } from "#src/definitions/arguments.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import { buildInputSchema, type CallParams } from "#src/framework/connectors/mod.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import {
  explainFindings,
  invoiceStatistics,
  nextSteps,
  searchInvoices,
  statusHistory,
} from "./invoices.ts";
import type { Tool, ToolCall, ToolCaller, ToolDeps, VerbCall } from "./tool.ts";
import type { ToolTable } from "./tool_result.ts";

interface Verb {
  readonly title: Text;
  /** Read by people and by models. */
  readonly description: Text;
  /** Permission for its data, in addition to its own code. */
  readonly needs: string;
  readonly params: CallParams;
  readonly run: (deps: ToolDeps, call: VerbCall) => Promise<ToolTable>;
}

const READ = "invoices:read";
const DAY = { type: "date" } as const;
const invoice = {
  type: "string",
  required: true,
  max_length: 110,
  description: {
    en: "The invoice as doc-dct-kco, for example 100000-RI-00001",
    fr: "La facture, doc-dct-kco, par exemple 100000-RI-00001",
  },
} as const;
const from = {
  ...DAY,
  description: { en: "Issued from this day on", fr: "Émises à partir de ce jour" },
};
const to = { ...DAY, description: { en: "Issued up to this day", fr: "Émises jusqu'à ce jour" } };

/** Built-in tools that a model may call, each with its own permission code, `ai:tool:<name>`. */
const VERBS: Readonly<Record<string, Verb>> = {
  search_invoices: {
    title: { en: "Search invoices", fr: "Chercher des factures" },
    description: {
      en:
        "Invoices by words, status, customer, company and issue date, newest first, a page at a time",
      fr:
        "Factures par mots, statut, client, société et date d'émission, les plus récentes d'abord, page par page",
    },
    needs: READ,
    params: {
      search: {
        type: "string",
        max_length: 200,
        description: {
          en: "Words of numbers, names and references",
          fr: "Mots des numéros, noms et références",
        },
      },
      status: {
        type: "array<string>",
        description: { en: "Any of these status codes", fr: "L'un de ces codes de statut" },
      },
      customer: {
        type: "string",
        max_length: 200,
        description: { en: "Name or number of the customer", fr: "Nom ou numéro du client" },
      },
      company: {
        type: "string",
        max_length: 20,
        description: { en: "Company (kco)", fr: "Société (kco)" },
      },
      direction: { type: "string", enum: ["issued", "received"] },
      from,
      to,
      page: { type: "integer", min: 1, max: 100_000, default: 1 },
    },
    run: searchInvoices,
  },
  explain_findings: {
    title: { en: "Explain findings", fr: "Expliquer les anomalies" },
    description: {
      en:
        "What the checks found on an invoice: rule, sentence, business term, value found and expected, field of the ERP; with its sums and VAT",
      fr:
        "Ce que les contrôles ont trouvé sur une facture : règle, phrase, terme métier, valeur trouvée et attendue, champ de l'ERP ; avec ses montants et sa TVA",
    },
    needs: READ,
    params: { invoice, page: { type: "integer", min: 1, max: 10_000, default: 1 } },
    run: explainFindings,
  },
  status_history: {
    title: { en: "Status history", fr: "Historique des statuts" },
    description: {
      en: "Every status of an invoice with its time, source and message, oldest first",
      fr:
        "Tous les statuts d'une facture avec heure, origine et message, du plus ancien au plus récent",
    },
    needs: READ,
    params: { invoice },
    run: statusHistory,
  },
  next_steps: {
    title: { en: "Next steps", fr: "Étapes possibles" },
    description: {
      en:
        "What may be done next with an invoice, what each step asks for and whether the user holds its permission",
      fr:
        "Ce qui peut être fait ensuite d'une facture, ce que chaque étape demande et si l'utilisateur en a la permission",
    },
    needs: READ,
    params: { invoice },
    run: nextSteps,
  },
  invoice_statistics: {
    title: { en: "Invoice statistics", fr: "Statistiques des factures" },
    description: {
      en: "How many invoices have each status, of all or by issue date",
      fr: "Nombre de factures par statut, toutes ou par date d'émission",
    },
    needs: READ,
    params: { from, to },
    run: invoiceStatistics,
  },
};

/** Returns the built-in tools whose own code and data permission the caller has. */
export function productTools(deps: ToolDeps, snapshot: Snapshot, caller: ToolCaller): Tool[] {
  const localiser = createLocaliser(snapshot, caller.languages);
  return Object.entries(VERBS)
    .filter(([name, verb]) => caller.may(`ai:tool:${name}`) && caller.may(verb.needs))
    .map(([name, verb]) => productTool(deps, { name, verb, localiser, caller }));
}

interface NamedVerb {
  readonly name: string;
  readonly verb: Verb;
  readonly localiser: Localiser;
  readonly caller: ToolCaller;
}

function productTool(deps: ToolDeps, { name, verb, localiser, caller }: NamedVerb): Tool {
  const { title, description, params } = verb;
  return {
    name,
    title: title[caller.language],
    description: description[caller.language],
    permission: `ai:tool:${name}`,
    kind: "product",
    mode: "read",
    confirm: "never",
    input_schema: buildInputSchema(params, localiser),
    tag: name,
    grounds: () =>
      Promise.resolve({ codes: [`ai:tool:${name}`, verb.needs], values: {}, roles: [] }),
    run: ({ arguments: given }: ToolCall) => {
      const bound = bindArguments(params, given, {
        caller: { user: {}, claims: {} },
        now: deps.clock.now(),
      });
      return verb.run(deps, { given: Object.fromEntries(bound), caller });
    },
  };
}
