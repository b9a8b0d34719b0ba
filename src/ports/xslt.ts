import { say } from "#src/kernel/sentences/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";

/** A stylesheet and what it is applied to. */
export interface TransformInput {
  /** Absolute path; what it imports must lie in the folders the installation allows. */
  readonly stylesheet: string;
  /** The XML to transform. */
  readonly source: string;
  /** Values of the stylesheet's own `xsl:param`s, by local name. */
  readonly params?: Readonly<Record<string, string>>;
}

/** How long it may take. */
export interface TransformOptions {
  /** Ends the work, also while it runs. */
  readonly signal?: AbortSignal;
  /** Running time, without the time spent waiting for a free process; default 30 s. */
  readonly timeoutMs?: number;
}

/** What came out. */
export interface TransformOutput {
  readonly output: string;
  /** What the stylesheet said with `xsl:message`, in order. */
  readonly messages: string[];
  /** Business term → source element, where the stylesheet declares it (`<p:source bt="BT-1" field="…"/>`). */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * XSLT 3.0, apart from the product: a stylesheet sees its source and its parameters, no file, no network, no script. What
 * goes wrong is an `AppError` "refused" with `TransformFailure` as details, or "unavailable" when no process could be had.
 */
export interface Xslt {
  transform(input: TransformInput, options?: TransformOptions): Promise<TransformOutput>;
  /** Compiles, and throws as `transform` would when that fails; no process of its own is left, whatever ends it. */
  check(stylesheet: string, options?: Pick<TransformOptions, "signal">): Promise<void>;
  /** Ends all processes; running transforms fail as "unavailable". */
  close(): Promise<void>;
}

/** Why a transform was refused. */
export interface TransformFailure {
  /**
   * `stylesheet`: it does not compile or is not allowed · `source`: the input is not XML · `stopped`: the stylesheet itself
   * gave up with a message · `runtime`: an error while running · `timeout` · `crash`: out of memory, or its process fell ·
   * `mismatch`: the result is about another document than the source.
   */
  readonly kind: "stylesheet" | "source" | "stopped" | "runtime" | "timeout" | "crash" | "mismatch";
  readonly stylesheet: string;
  /** French sentence; the English one is the error's message. */
  readonly messageFr: string;
  /** The module and line at fault, or the line of the source (`file` is "" then); 0 where unknown. */
  readonly file: string;
  readonly line: number;
  /** The processor's error code (`XPTY0004`), "" where there is none. */
  readonly errorCode: string;
  /** The source element a stylesheet complained of, and its value. */
  readonly element?: string;
  readonly value?: string;
}

/** The refusal of a transform, with its failure as details. */
export function transformError(failure: TransformFailure, messageEn: string): AppError {
  return new AppError("refused", say`${{ en: messageEn, fr: failure.messageFr }}`, {
    details: { ...failure },
  });
}

/** The details of a refused transform; undefined for any other error. */
export function transformFailure(error: unknown): TransformFailure | undefined {
  if (!(error instanceof AppError) || error.code !== "refused") return undefined;
  const { kind, messageFr } = error.details;
  if (typeof kind !== "string" || typeof messageFr !== "string") return undefined;
  return error.details as unknown as TransformFailure;
}
