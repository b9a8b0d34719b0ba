/** A request to somebody outside, as a connector describes it. */
export interface EgressRequest {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly reach: Reach;
  /** Milliseconds for everything, from the resolution of the name to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Texts that must not show in an error, whatever the peer says. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Which hosts may be reached; `name` or `name:port`, in lower case, `*.suffix` for the names below it. */
export interface Reach {
  readonly hosts: readonly string[];
  /** Those of them that may have addresses of this machine or of a private network. */
  readonly privateHosts: readonly string[];
}

/** Any HTTP answer, an error of the peer included. */
export interface EgressAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Not compressed any more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The only way to addresses that users configure: each call on a connection of its own, to an address that was looked
 * at, no redirect followed, nothing sent twice. Throws AppError `refused` before anything is sent, `upstream` when the
 * peer fails, with details `{ timeout: true }` when it is late, `{ answered: true }` when its answer cannot be used, and
 * `{ interrupted: true }` when the signal ended the call, which may have taken effect.
 */
export interface Egress {
  send(request: EgressRequest): Promise<EgressAnswer>;
}
