/** Request to an external system, as a connector describes it. */
export interface EgressRequest {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly reach: OutboundTarget;
  /** Milliseconds for everything, from the resolution of the name to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Texts that must never occur in an error. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Hosts that may be reached: `name` or `name:port` in lower case, `*.suffix` for the names below it. */
export interface OutboundTarget {
  readonly hosts: readonly string[];
}

/** Any HTTP answer, an error of the peer included. */
export interface EgressAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The only way to addresses that users configure. Each call has its own connection to a checked address, follows
 * no redirect and sends nothing twice. Throws AppError `refused` before anything is sent, or `upstream` when the
 * peer fails. Details of `upstream` are `{ timeout: true }` when the peer is late and `{ answered: true }` when
 * its answer is unusable. They are `{ interrupted: true }` when the signal ended the call, which may have taken
 * effect.
 */
export interface Egress {
  send(request: EgressRequest): Promise<EgressAnswer>;
}
