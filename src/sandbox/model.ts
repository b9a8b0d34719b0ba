import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";

/** What the simulator knows of a submitted UBL document. Amounts are decimal text. */
export interface InvoiceFacts {
  readonly number: string;
  readonly issueDate: string | undefined;
  readonly typeCode: string | undefined;
  readonly sellerSiren: string;
  readonly sellerName: string | undefined;
  readonly sellerAddress: string | undefined;
  readonly buyerSiren: string | undefined;
  readonly buyerName: string | undefined;
  readonly buyerAddress: string | undefined;
  readonly amountDue: string | undefined;
  readonly currency: string;
  /** Amount with VAT for each rate, for the collected amounts of a 212. */
  readonly byRate: readonly { readonly rate: string; readonly amount: string }[];
}

/** What a lifecycle message sent by the client says. */
export interface StatusFacts {
  readonly number: string | undefined;
  readonly sellerSiren: string | undefined;
  readonly status: string;
  readonly reasons: readonly string[];
  /** Collected, one for each VAT rate. */
  readonly amounts: readonly RateAmount[];
}

export interface AckProblem {
  readonly level: "Error" | "Warning";
  readonly item: string;
  readonly reasonCode: string;
  readonly reasonMessage: string;
}

/** A flow as kept; its bytes are beside it, under its id. Times are ISO 8601, UTC. */
export interface StoredFlow {
  readonly flowId: string;
  /** Rises with each flow: order of arrival. */
  readonly seq: number;
  readonly trackingId: string | undefined;
  readonly name: string;
  readonly flowSyntax: string;
  readonly flowProfile: string | undefined;
  readonly processingRule: string | undefined;
  readonly flowType: string;
  readonly flowDirection: "In" | "Out";
  readonly submittedAt: string;
  readonly updatedAt: string;
  readonly ack: "Pending" | "Ok" | "Error";
  readonly problems: readonly AckProblem[];
  /** Of the bytes as received. */
  readonly sha256: string;
  readonly declaredSha256: string | undefined;
  readonly size: number;
  readonly contentType: string;
  readonly fileName: string;
  readonly invoice: InvoiceFacts | undefined;
  readonly status: StatusFacts | undefined;
  /** Why the bytes are no readable document of their syntax. */
  readonly unreadable: string | undefined;
  /** The invoice flow a lifecycle flow of ours speaks about. */
  readonly about: string | undefined;
  readonly script: string | undefined;
}

/** What is held in memory of a flow: all that flows are looked for by. The rest is in the journal, at `place`. */
export interface KnownFlow extends
  Pick<
    StoredFlow,
    | "flowId"
    | "seq"
    | "trackingId"
    | "processingRule"
    | "flowType"
    | "flowDirection"
    | "updatedAt"
    | "ack"
    | "problems"
    | "about"
  > {
  readonly invoice:
    | Pick<InvoiceFacts, "number" | "sellerSiren"> & { readonly key: string }
    | undefined;
  /** The code a lifecycle message tells. */
  readonly status: string | undefined;
  readonly place: number;
}

/** One lifecycle message to come. */
export interface Step {
  /** National status code, e.g. 200. */
  readonly status: string;
  /** Milliseconds after the step before; default: the PA's pace. */
  readonly after?: number | undefined;
  /** Seconds added to the time the message claims; negative for a late message. */
  readonly shift?: number | undefined;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  readonly action?: string | undefined;
  readonly comment?: string | undefined;
  /** Default for 212: all of it, by VAT rate. */
  readonly amounts?:
    | readonly {
      readonly amount: string;
      readonly currency?: string | undefined;
      readonly rate: string;
    }[]
    | undefined;
  /** How many flows carry this same message; default 1. */
  readonly copies?: number | undefined;
}

/** The life of an invoice: the acknowledgement, then lifecycle messages. */
export interface Script {
  /** Default `Ok`; `Pending` stays so for ever; a problem makes the acknowledgement an error. */
  readonly ack?:
    | "Ok"
    | "Pending"
    | { readonly reasonCode: string; readonly reasonMessage: string }
    | undefined;
  readonly ackDelayMs?: number | undefined;
  readonly steps: readonly Step[];
}

/** Which invoices a script or a fault is for; every field given must agree. */
export interface Match {
  readonly invoiceNumber?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly buyerSiren?: string | undefined;
  readonly sellerSiren?: string | undefined;
  /** Amount due, as written in the document. */
  readonly amount?: string | undefined;
  /** A part of the flow's name. */
  readonly name?: string | undefined;
}

export type PlannedAct =
  | { readonly type: "ack"; readonly script: Script }
  | { readonly type: "lifecycle"; readonly step: Step };

/** Something the PA will do; kept in the journal, so that a restart forgets none. */
export interface Plan {
  readonly id: string;
  readonly flowId: string;
  readonly due: string;
  readonly act: PlannedAct;
}

export interface WebhookRegistration {
  readonly webhookId: string;
  readonly callbackUrl: string;
  readonly flowTypes: readonly string[];
  readonly flowDirection: string | undefined;
  readonly ackStatus: string | undefined;
  /** Base64 of 32 random bytes. */
  readonly signingKey: string;
  readonly createdAt: string;
}

interface RequestRecord {
  readonly kind: "request";
  readonly at: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly requestId: string | undefined;
  readonly organizationId: string | undefined;
  readonly size: number;
  readonly sha256: string | undefined;
  readonly trackingId: string | undefined;
  readonly invoiceNumber: string | undefined;
}

/** A line of the journal. The present state is the sum of these. */
export type Entry =
  | RequestRecord
  | {
    readonly kind: "answer";
    readonly at: string;
    readonly id: string;
    readonly status: number;
    readonly fault?: string;
  }
  | { readonly kind: "flow"; readonly at: string; readonly flow: StoredFlow }
  | {
    readonly kind: "ack";
    readonly at: string;
    readonly flowId: string;
    readonly status: StoredFlow["ack"];
    readonly problems: readonly AckProblem[];
    readonly flowType: string;
  }
  | { readonly kind: "plan"; readonly at: string; readonly plan: Plan }
  | { readonly kind: "done"; readonly at: string; readonly planId: string }
  | { readonly kind: "webhook"; readonly at: string; readonly webhook: WebhookRegistration }
  | { readonly kind: "webhook-removed"; readonly at: string; readonly webhookId: string }
  | {
    readonly kind: "delivery";
    readonly at: string;
    readonly webhookId: string;
    readonly flowId: string;
    readonly attempt: number;
    readonly outcome: string;
  }
  | { readonly kind: "reset"; readonly at: string };

/** How this PA behaves where PAs differ; may be changed while it runs. */
export interface Personality {
  /** Older versions give no cursor and no type to pending flows. */
  readonly apiVersion: "1.1" | "1.2" | "1.3";
  /** The same trackingId with the same bytes again: a flow of its own, the first one's answer, or 409. */
  readonly repeatedTrackingId: "accept" | "adopt" | "conflict";
  /** A known number, seller and year: an error acknowledgement, a 213 DOUBLON, or both. */
  readonly duplicateInvoice: "ack" | "lifecycle" | "both";
  /** Whether search knows the criterion `trackingId`: it may ignore it, or refuse it; `hidden`: nor do flows show it. */
  readonly trackingSearch: "yes" | "ignored" | "refused" | "hidden";
  readonly ackDelayMs: number;
  /** Between two lifecycle messages. */
  readonly stepDelayMs: number;
  /** Calls of both services above this many in a second are answered 429 with Retry-After 1; 0 = no limit. */
  readonly callsPerSecond: number;
  /** Name of the script for invoices no rule matches. */
  readonly defaultScript: string;
}
