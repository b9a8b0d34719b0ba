/** An expression that cannot be compiled; `at` is the offset in its text. */
export class XPathSyntaxError extends Error {
  override readonly name = "XPathSyntaxError";
  readonly messageFr: string;
  readonly at: number;

  constructor(message: string, messageFr: string, at: number) {
    super(message);
    this.messageFr = messageFr;
    this.at = at;
  }
}

/**
 * Dynamic error of XPath (`FORG0001`, `XPTY0004`, …): it ends one evaluation and becomes a finding. It is no
 * `Error`, because pattern matching causes many and a stack is not needed.
 */
export class XPathFault {
  /** Code of the XPath and XQuery errors, without prefix. */
  readonly code: string;
  readonly en: string;
  readonly fr: string;

  constructor(code: string, en: string, fr: string) {
    this.code = code;
    this.en = en;
    this.fr = fr;
  }
}

export function cannotCast(value: string, type: string): XPathFault {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  return new XPathFault(
    "FORG0001",
    `"${shown}" is not a valid ${type}`,
    `« ${shown} » n'est pas un ${type} valide`,
  );
}

export function wrongType(en: string, fr: string): XPathFault {
  return new XPathFault("XPTY0004", en, fr);
}

/**
 * Returns the fault of a thrown value. It may be a fault itself, or a limit of the machine (stack, size of
 * numbers and texts) that a document made an expression reach. Anything else is a bug and is thrown again.
 */
export function toFault(thrown: unknown): XPathFault {
  if (thrown instanceof XPathFault) return thrown;
  if (thrown instanceof RangeError) {
    return new XPathFault(
      "FOAR0002",
      `a limit is exceeded (${thrown.message})`,
      `une limite est dépassée (${thrown.message})`,
    );
  }
  throw thrown;
}
