import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";

/** Published list that PAs extend: unknown codes are kept unchanged, never refused. */
export type ExtensibleCode<Known extends string> = Known | (string & Record<never, never>);

/** Syntax of a file in a flow. */
export type FlowSyntax = ExtensibleCode<"UBL" | "CII" | "Factur-X" | "CDAR" | "FRR">;
/** Declared EN 16931 profile of an invoice. */
export type FlowProfile = ExtensibleCode<"Basic" | "CIUS" | "Extended-CTC-FR" | "Undefined">;
/** Case of the reform that a flow belongs to. */
export type ProcessingRule = ExtensibleCode<
  | "B2B"
  | "B2BInt"
  | "B2C"
  | "B2G"
  | "B2GInt"
  | "OutOfScope"
  | "B2GOutOfScope"
  | "ArchiveOnly"
  | "NotApplicable"
  | "Undefined"
>;
/** `In` = PA to us, `Out` = us to the PA. */
export type FlowDirection = ExtensibleCode<"In" | "Out">;
/** The technical verdict of the PA on a flow. */
export type AckStatus = ExtensibleCode<"Pending" | "Ok" | "Error">;
/** Content of a flow; `LC` is a lifecycle message. */
export type FlowType = ExtensibleCode<
  | "CustomerInvoice"
  | "SupplierInvoice"
  | "CustomerInvoiceLC"
  | "SupplierInvoiceLC"
  | "StateCustomerInvoiceLC"
  | "StateSupplierInvoiceLC"
  | "Undefined"
>;
/** File of a flow to fetch. */
export type DocType = "Original" | "Converted" | "ReadableView";

/** Context of every call. */
export interface PaContext {
  /** UUID sent as `Request-Id`; a new one is made when absent. */
  readonly requestId?: string | undefined;
  /** Ends the call early; the timeout of the settings applies too. */
  readonly signal?: AbortSignal | undefined;
}

/** File to submit to the PA. */
export interface OutgoingFlow {
  /** Key of our choice, at most 64 characters, for looking up an ambiguous submission. */
  readonly trackingId: string;
  readonly name: string;
  readonly syntax: FlowSyntax;
  /** Omit an unknown profile: PAs answer 400 to a profile outside their list. */
  readonly profile?: FlowProfile | undefined;
  readonly processingRule?: ProcessingRule | undefined;
  readonly bytes: Uint8Array;
  /** Lower-case hexadecimal digest of `bytes`. */
  readonly sha256: string;
  /** Default `application/xml`. */
  readonly contentType?: "application/xml" | "application/pdf" | undefined;
}

/** Receipt of the PA, which now has the file; `metadata` or `search` return its verdict later. */
export interface FlowReceipt {
  readonly flowId: string;
  readonly trackingId: string | undefined;
  readonly submittedAt: string | undefined;
  /** The answer as it came, for the evidence. */
  readonly answer?: string | undefined;
}

/** One reason of a technical verdict. */
export interface AckDetail {
  readonly level: ExtensibleCode<"Error" | "Warning">;
  readonly item: string;
  readonly reasonCode: ExtensibleCode<
    | "AlreadyExistingFlow"
    | "InvalidSchema"
    | "ChecksumMismatch"
    | "VirusFound"
    | "EmptyFlow"
    | "OtherTechnicalError"
  >;
  readonly reasonMessage: string;
}

/** Maximum length of a PA's id in characters: longer ones fit in no database index. */
export const MAX_ID_LENGTH = 500;

/** Everything but `flowId` may be missing from an answer of an older or careless PA. */
export interface Flow {
  readonly flowId: string;
  readonly trackingId: string | undefined;
  readonly name: string | undefined;
  readonly syntax: FlowSyntax | undefined;
  readonly profile: FlowProfile | undefined;
  readonly processingRule: ProcessingRule | undefined;
  /** `Input`: the sender declared the rule; `Computed`: the PA found it. */
  readonly processingRuleSource: ExtensibleCode<"Input" | "Computed"> | undefined;
  readonly flowType: FlowType | undefined;
  readonly direction: FlowDirection | undefined;
  /** Date-times as the PA wrote them. */
  readonly submittedAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly ack: { readonly status: AckStatus; readonly details: readonly AckDetail[] };
  /** The PA's own JSON of this flow, stored as evidence so that unknown fields are not lost. */
  readonly answer?: string | undefined;
}

/** Criteria are ANDed, values of one list ORed; a PA requires at least one. */
export interface FlowQuery {
  readonly where: {
    /** Strict: only flows with `updatedAt` later than this. */
    readonly updatedAfter?: string | undefined;
    readonly updatedBefore?: string | undefined;
    readonly processingRule?: readonly ProcessingRule[] | undefined;
    readonly flowType?: readonly FlowType[] | undefined;
    readonly flowDirection?: readonly FlowDirection[] | undefined;
    readonly trackingId?: string | undefined;
    readonly ackStatus?: AckStatus | undefined;
  };
  /** `nextCursor` of the page before; PAs older than 1.3 have none. */
  readonly cursor?: string | undefined;
  /** Default 25, at most 100. */
  readonly limit?: number | undefined;
}

/** One page of a listing. */
export interface FlowPage {
  readonly flows: readonly Flow[];
  readonly nextCursor: string | undefined;
  /** Items without a usable `flowId`: one bad item does not lose its page. */
  readonly malformed: readonly { readonly why: Sentence; readonly excerpt: string }[];
}

/** A file of a flow. */
export interface FlowFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string | undefined;
}

/** A webhook as the PA shows it; it never shows the signing key again. */
export interface Webhook {
  readonly webhookId: string;
  readonly callbackUrl: string | undefined;
  readonly flowTypes: readonly FlowType[];
  readonly flowDirection: FlowDirection | undefined;
  readonly ackStatus: AckStatus | undefined;
  readonly createdAt: string | undefined;
}

/** Flows for which the PA is to call us. */
export interface WebhookRequest {
  readonly callbackUrl: string;
  readonly flowTypes?: readonly FlowType[] | undefined;
  readonly flowDirection?: FlowDirection | undefined;
  readonly ackStatus?: AckStatus | undefined;
}

/** An accredited platform (Plateforme Agréée) as XP Z12-013 Flow Service 1.3 shows it. Every method fails with `PaError`. */
export interface Pa {
  readonly name: string;
  submit(flow: OutgoingFlow, context?: PaContext): Promise<FlowReceipt>;
  search(query: FlowQuery, context?: PaContext): Promise<FlowPage>;
  metadata(flowId: string, context?: PaContext): Promise<Flow>;
  download(flowId: string, docType: DocType, context?: PaContext): Promise<FlowFile>;
  healthcheck(context?: PaContext): Promise<void>;
  listWebhooks(context?: PaContext): Promise<readonly Webhook[]>;
  /** Registers a webhook; only this answer contains the `signingKey`. */
  registerWebhook(
    webhook: WebhookRequest,
    context?: PaContext,
  ): Promise<{ readonly webhookId: string; readonly signingKey: string | undefined }>;
  deleteWebhook(webhookId: string, context?: PaContext): Promise<void>;
}

/** Authentication with the PA. */
export type PaAuth =
  | { readonly kind: "bearer"; readonly token: string }
  | {
    readonly kind: "oauth2";
    readonly tokenUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };

/** The `e-invoicing` (or `e-directory`) system template, read. */
export interface PaSettings {
  readonly name: string;
  /** Up to the service's own root, before `/v1`. */
  readonly baseUrl: string;
  readonly auth: PaAuth;
  readonly organizationId?: string | undefined;
  /** Name of a protocol; the default protocol if absent. */
  readonly protocol?: string | undefined;
  /** Timeout of one exchange; a call may need a token first. */
  readonly timeoutMs: number;
}

/** Opens the PA that the settings name. */
export type PaFactory = (settings: PaSettings) => Pa;

/**
 * Known effect of a failed call.
 * - `not-sent`: nothing reached the PA, or it admits no caller from here.
 * - `refused`: the PA answered that it rejects the call.
 * - `throttled`: the PA ignored the call; try again later.
 * - `ambiguous`: the PA may have it; look it up before sending again.
 */
export type PaOutcome = "not-sent" | "refused" | "ambiguous" | "throttled";

/** Details of a failed call. */
export interface PaFailure {
  readonly outcome: PaOutcome;
  readonly httpStatus?: number | undefined;
  /** `errorCode` of the PA's answer, or the reason of a lost connection (`ECONNREFUSED`, `TIMEOUT`). */
  readonly errorCode?: string | undefined;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** The first characters of the answer, for the operator. */
  readonly excerpt?: string | undefined;
  /** The PA has this file already: adopt the result of the look-up. */
  readonly alreadyExists?: boolean | undefined;
  /** Id of the flow, where such an answer names it. */
  readonly existingFlowId?: string | undefined;
  readonly cause?: unknown;
}

/** A call of the PA failed; `outcome` describes its effect. */
export class PaError extends AppError {
  readonly outcome: PaOutcome;
  readonly httpStatus: number | undefined;
  readonly errorCode: string | undefined;
  readonly excerpt: string | undefined;
  readonly alreadyExists: boolean;
  readonly existingFlowId: string | undefined;

  constructor(sentence: Sentence, failure: PaFailure) {
    super("upstream", sentence, {
      ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
      ...(failure.cause === undefined ? {} : { cause: failure.cause }),
      details: {
        outcome: failure.outcome,
        httpStatus: failure.httpStatus,
        errorCode: failure.errorCode,
      },
    });
    this.outcome = failure.outcome;
    this.httpStatus = failure.httpStatus;
    this.errorCode = failure.errorCode;
    this.excerpt = failure.excerpt;
    this.alreadyExists = failure.alreadyExists ?? false;
    this.existingFlowId = failure.existingFlowId;
  }

  /** True if this process ended the call by itself, so that it tells nothing about the other side. */
  get isGivenUp(): boolean {
    return GIVEN_UP.has(this.errorCode ?? "");
  }
}

const GIVEN_UP: ReadonlySet<string> = new Set(["ABORTED", "HELD_UP"]);
