/** Companies as the national registry returns them, untouched. */
export interface RegistryAnswer {
  readonly results: readonly unknown[];
  readonly total_results: number;
}

/** Which companies are looked for. */
export interface RegistryQuery {
  /** Name, address, SIREN or SIRET. */
  readonly q: string;
  /** From 1. */
  readonly page?: number | undefined;
  /** At most 25. */
  readonly perPage?: number | undefined;
}

/** What goes with every search. */
export interface RegistryContext {
  readonly signal?: AbortSignal | undefined;
}

/** The national registry of companies. */
export interface Registry {
  /** Fails with `invalid`, `throttled` (with `retryAfter`) or `upstream`. */
  search(query: RegistryQuery, context?: RegistryContext): Promise<RegistryAnswer>;
}
