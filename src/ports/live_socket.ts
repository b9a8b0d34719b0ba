import type { Sentence } from "#src/kernel/sentences/sentence.ts";

/** What a client says before it is let in. */
export interface Handshake {
  /** Sent by the client's program: `token`, `topics`, `offset`, `language`. */
  readonly auth: Readonly<Record<string, unknown>>;
  readonly address: string | undefined;
  /** Of the request it came with. */
  header(name: string): string | undefined;
}

/** A client that was let in, until its signal aborts. */
export interface LiveSocket {
  readonly signal: AbortSignal;
  /** Resolves when there is room for the next one; aborts the signal of a client that reads too slowly. */
  emit(type: string, data: unknown, id?: string): Promise<void>;
}

/** Why somebody is not let in, in their language. */
export interface Refused {
  readonly status: number;
  readonly detail: string;
}

/** Who is let in, and what they are told. */
export interface SocketDoor {
  /** Why a request is not even heard, or undefined; before anybody proves who they are. */
  unheard(header: Handshake["header"]): Sentence | undefined;
  /** Resolves to what serves the client until it or its session ends. */
  enter(handshake: Handshake): Promise<((socket: LiveSocket) => Promise<void>) | Refused>;
}
