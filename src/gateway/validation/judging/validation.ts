import type { Finding, Level } from "#src/domain/validation/finding.ts";
import type { HybridInvoice } from "#src/ports/factur_x.ts";
import type { Direction } from "#src/ports/rule_book.ts";
import type { XmlDocument } from "#src/xml/mod.ts";

/** Options of a validation in addition to the document's own declaration. */
export interface ValidateOptions {
  /** Rule sets by id or `id@version`, instead of those of the document's declaration. */
  readonly ruleSets?: readonly string[] | undefined;
  readonly direction?: Direction | undefined;
  /** The PDF the document was embedded in. */
  readonly hybrid?: Pick<HybridInvoice, "faults" | "name" | "profile"> | undefined;
  /** Business term → ERP element its value came from. */
  readonly sourceFields?: ReadonlyMap<string, string> | undefined;
}

/** An override in force while a document was judged. */
export interface AppliedOverride {
  readonly ruleSet: string;
  readonly rule: string;
  readonly level: Level | "OFF";
  readonly author: string;
  readonly reason: string;
  /** ISO 8601 moment from which it no longer counts. */
  readonly expires: string;
  /** Findings of this document it changed or removed. */
  readonly findings: number;
}

/** A rule set that judged. */
interface UsedSet {
  readonly id: string;
  readonly version: string;
  readonly title: { readonly fr: string; readonly en: string };
}

/** Notation of the applied sets, for reports in the language of rules. Plain data that is never sent. */
export interface Written {
  /** Prefix → namespace, as contexts and tests use them; where two sets disagree, of the first. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** Context of each failed rule, by `set rule`; absent for a rule with several contexts. */
  readonly contexts: ReadonlyMap<string, string>;
}

/** Result of validating one document. */
export interface Validation {
  /** No FATAL finding. */
  readonly valid: boolean;
  /** At most 500 findings, then a count of the others. */
  readonly findings: readonly Finding[];
  /** Absent for an unreadable document, and for one validated in another process. */
  readonly document?: XmlDocument | undefined;
  /** False also when no schema exists for such a document; a finding then reports it. */
  readonly xsd: { readonly valid: boolean; readonly errors: number };
  /** Rules that could be evaluated, of all rules of the sets. */
  readonly rules: { readonly ran: number; readonly of: number };
  readonly sets: readonly UsedSet[];
  readonly overrides: readonly AppliedOverride[];
  /** Absent when no rule set judged. */
  readonly written?: Written | undefined;
}
