import type { Recipient } from "#src/domain/treatment/mod.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";

/** Facts that the simulator extracts from an invoice. Amounts are decimal text. */
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
  /** Recipient of the invoice: the buyer, or the seller of a self-billed invoice. */
  readonly recipient: Recipient;
  /** Processing rule requested by the BAR note of the document. */
  readonly notedRule: string | undefined;
  /** True if the credit note names the invoice that it cancels. */
  readonly isInternalCreditNote: boolean;
  readonly vatOnReceipt: boolean;
  readonly amountDue: string | undefined;
  readonly currency: string;
  /** Amount including VAT per rate, for the collected amounts of status 212. */
  readonly byRate: readonly { readonly rate: string; readonly amount: string }[];
}

/** Facts of a lifecycle message from the client. */
export interface StatusFacts {
  readonly number: string | undefined;
  readonly sellerSiren: string | undefined;
  readonly status: string;
  /** SE or BY: the party that sets the status. */
  readonly issuerRole: string | undefined;
  readonly reasons: readonly string[];
  /** Collected amounts, one per VAT rate. */
  readonly amounts: readonly RateAmount[];
}

export interface AckProblem {
  readonly level: "Error" | "Warning";
  readonly item: string;
  readonly reasonCode: string;
  readonly reasonMessage: string;
}

/** Flow as stored; its bytes are in a file named by its id. Times are ISO 8601, UTC. */
export interface StoredFlow {
  readonly flowId: string;
  /** Sequence number in the order of arrival. */
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
  /** SHA-256 of the received bytes. */
  readonly sha256: string;
  readonly declaredSha256: string | undefined;
  readonly size: number;
  readonly contentType: string;
  readonly fileName: string;
  readonly invoice: InvoiceFacts | undefined;
  readonly status: StatusFacts | undefined;
  /** Reason why the document cannot be read in its syntax. */
  readonly unreadable: string | undefined;
  /** Invoice flow that a lifecycle flow of the PA refers to. */
  readonly about: string | undefined;
  readonly script: string | undefined;
}

/** Part of a flow stored in memory: every field that searches use. The rest is in the journal, at `place`. */
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
  /** Status code of a lifecycle message. */
  readonly status: string | undefined;
  readonly place: number;
}

/** Scheduled lifecycle message. */
export interface ScheduledMessage {
  /** National status code, e.g. 200. */
  readonly status: string;
  /** Milliseconds after the previous step; default: the PA's delay. */
  readonly after?: number | undefined;
  /** Seconds added to the time stated in the message; negative for a late message. */
  readonly shift?: number | undefined;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  readonly action?: string | undefined;
  readonly comment?: string | undefined;
  /** Default for 212: the full amount, by VAT rate. */
  readonly amounts?:
    | readonly {
      readonly amount: string;
      readonly currency?: string | undefined;
      readonly rate: string;
    }[]
    | undefined;
  /** Number of flows with this message; default 1. */
  readonly copies?: number | undefined;
}

/** Script of an invoice: its acknowledgement, then its lifecycle messages. */
export interface Script {
  /** Default `Ok`. `Pending` never changes; a problem makes the acknowledgement an error. */
  readonly ack?:
    | "Ok"
    | "Pending"
    | { readonly reasonCode: string; readonly reasonMessage: string }
    | undefined;
  readonly ackDelayMs?: number | undefined;
  readonly steps: readonly ScheduledMessage[];
}

/** Criteria of a script or a fault; all given fields must match. */
export interface Match {
  readonly invoiceNumber?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly buyerSiren?: string | undefined;
  readonly sellerSiren?: string | undefined;
  /** Amount due, as written in the document. */
  readonly amount?: string | undefined;
  /** Substring of the flow's name. */
  readonly name?: string | undefined;
}

export type PlannedAct =
  | { readonly type: "ack"; readonly script: Script }
  | { readonly type: "lifecycle"; readonly step: ScheduledMessage };

/** Scheduled action of the PA. It is stored in the journal and survives a restart. */
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

/** Line of the journal. Replaying all lines gives the current state. */
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

/** Behaviour of this PA where PAs differ; it can be changed at run time. */
export interface Personality {
  /** Older versions omit the cursor, and the type of pending flows. */
  readonly apiVersion: "1.1" | "1.2" | "1.3";
  /** Answer to the same trackingId and bytes: a new flow, the first flow, or 409. */
  readonly repeatedTrackingId: "accept" | "adopt" | "conflict";
  /** Answer to a known number, seller and year: an error acknowledgement, a 213 DOUBLON, or both. */
  readonly duplicateInvoice: "ack" | "lifecycle" | "both";
  /** Support of the search criterion `trackingId`. With `hidden`, it is ignored and flows omit it too. */
  readonly trackingSearch: "yes" | "ignored" | "refused" | "hidden";
  readonly ackDelayMs: number;
  /** Milliseconds between two lifecycle messages. */
  readonly stepDelayMs: number;
  /** Calls per second, over both services, above which the PA answers 429 with Retry-After 1; 0 disables the limit. */
  readonly callsPerSecond: number;
  /** Controls whether the recipient of a domestic invoice must be in the directory. */
  readonly recipients: "directory" | "any";
  /** Name of the script for invoices that match no rule. */
  readonly defaultScript: string;
}
