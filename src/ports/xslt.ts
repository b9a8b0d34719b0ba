import { say } from "#src/kernel/i18n/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";

/** A text that is compiled instead of a stylesheet's file, as if it were saved. */
export interface StylesheetText {
  /** Absolute path of the file, which need not exist. */
  readonly path: string;
  readonly text: string;
}

/** Stylesheet and its input. */
export interface TransformInput {
  /** Absolute path; imports must be in folders that the installation allows. */
  readonly stylesheet: string;
  /** The XML to transform. */
  readonly source: string;
  /** Values of the stylesheet's own `xsl:param`s, by local name. */
  readonly params?: Readonly<Record<string, string>>;
  /** Replaces the file of the stylesheet, or of a module it imports, in this transform. */
  readonly instead?: StylesheetText | undefined;
}

/** Limits of a transformation. */
export interface TransformOptions {
  /** Ends the work, also while it runs. */
  readonly signal?: AbortSignal;
  /** Running time, without the time spent waiting for a free process; default 30 s. */
  readonly timeoutMs?: number;
}

/** Result of a transformation. */
export interface TransformOutput {
  readonly output: string;
  /** Messages of the stylesheet (`xsl:message`), in order. */
  readonly messages: string[];
  /** Business term → source element, where the stylesheet declares it (`<p:source bt="BT-1" field="…"/>`). */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Isolated XSLT 3.0: a stylesheet sees its source and its parameters, but no file, network or script. Failures
 * are an `AppError` "refused" with `TransformFailure` as details, or "unavailable" when no process was available.
 */
export interface Xslt {
  transform(input: TransformInput, options?: TransformOptions): Promise<TransformOutput>;
  /** Compiles, and throws like `transform` if that fails; its process always ends. */
  check(
    stylesheet: string,
    options?: Pick<TransformOptions, "signal"> & Pick<TransformInput, "instead">,
  ): Promise<void>;
  /** Ends all processes; running transforms fail as "unavailable". */
  close(): Promise<void>;
}

/** Why a transform was refused. */
export interface TransformFailure {
  /**
   * Kind of failure.
   * - `stylesheet`: it does not compile or is not allowed.
   * - `source`: the input is not XML.
   * - `stopped`: the stylesheet stopped with a message.
   * - `runtime`: an error during the run.
   * - `timeout`: it ran too long.
   * - `crash`: out of memory, or the process died.
   * - `mismatch`: the result is about another document than the source.
   */
  readonly kind: "stylesheet" | "source" | "stopped" | "runtime" | "timeout" | "crash" | "mismatch";
  readonly stylesheet: string;
  /** French sentence; the English one is the error's message. */
  readonly messageFr: string;
  /** The module and line at fault, or the line of the source (`file` is "" then); 0 where unknown. */
  readonly file: string;
  readonly line: number;
  /** Error code of the processor (`XPTY0004`), "" if it has none. */
  readonly errorCode: string;
  /** The source element a stylesheet complained of, and its value. */
  readonly element?: string;
  readonly value?: string;
}

/** Returns the refusal of a transform, with its failure as details. */
export function transformError(failure: TransformFailure, messageEn: string): AppError {
  return new AppError("refused", say`${{ en: messageEn, fr: failure.messageFr }}`, {
    details: { ...failure },
  });
}

/** Returns the details of a refused transform; undefined for any other error. */
export function transformFailure(error: unknown): TransformFailure | undefined {
  if (!(error instanceof AppError) || error.code !== "refused") return undefined;
  const { kind, messageFr } = error.details;
  if (typeof kind !== "string" || typeof messageFr !== "string") return undefined;
  return error.details as unknown as TransformFailure;
}
