/** Companies as the national registry returns them, untouched. */
export interface RegistryAnswer {
  readonly results: readonly unknown[];
  readonly total_results: number;
}

/** Search for companies. */
export interface RegistryQuery {
  /** Name, address, SIREN or SIRET. */
  readonly q: string;
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** At most 25. */
  readonly perPage?: number | undefined;
}

/** Context of every search. */
export interface RegistryContext {
  readonly signal?: AbortSignal | undefined;
}

/** The national registry of companies. */
export interface Registry {
  /** Fails with `invalid`, `throttled` (with `retryAfter`) or `upstream`. */
  search(query: RegistryQuery, context?: RegistryContext): Promise<RegistryAnswer>;
}
