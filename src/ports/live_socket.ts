import type { Sentence } from "#src/kernel/i18n/sentence.ts";

/** Data that a client sends before it is admitted. */
export interface Handshake {
  /** Sent by the client's program: `token`, `topics`, `offset`, `language`. */
  readonly auth: Readonly<Record<string, unknown>>;
  readonly address: string | undefined;
  /** Returns a header of the client's request. */
  header(name: string): string | undefined;
}

/** Admitted client, until its signal aborts. */
export interface LiveSocket {
  readonly signal: AbortSignal;
  /** Resolves when there is room for the next one; aborts the signal of a client that reads too slowly. */
  emit(type: string, data: unknown, id?: string): Promise<void>;
}

/** Refusal of a client, in its language. */
export interface Refused {
  readonly status: number;
  readonly detail: string;
}

/** Admission of clients, and the events they receive. */
export interface SocketDoor {
  /** Explains why a request is rejected before authentication, or returns undefined. */
  unheard(header: Handshake["header"]): Sentence | undefined;
  /** Resolves to the function that serves the client until it or its session ends. */
  enter(handshake: Handshake): Promise<((socket: LiveSocket) => Promise<void>) | Refused>;
}
