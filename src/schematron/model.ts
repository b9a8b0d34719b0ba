import type { SchematronPosition } from "./errors.ts";

/** XPath expression as written, with the data for compiling it and for locating its errors. */
export interface ExprText {
  readonly text: string;
  readonly place: SchematronPosition;
  readonly prefixes: ReadonlyMap<string, string>;
}

export interface LetModel {
  /** Lexical QName. */
  readonly name: string;
  readonly value: ExprText;
}

/** Text, `value-of` or `name`. */
export type MessagePart =
  | { readonly part: "text"; readonly text: string }
  | { readonly part: "value"; readonly select: ExprText }
  | { readonly part: "name"; readonly path: ExprText | undefined };

export interface DiagnosticModel {
  readonly id: string;
  readonly lang: string | undefined;
  readonly role: string | undefined;
  readonly parts: readonly MessagePart[];
}

/** An `assert`, or a `report` (which fires when its test holds). */
export interface CheckModel {
  readonly report: boolean;
  readonly id: string;
  readonly test: ExprText;
  readonly flag: string | undefined;
  readonly role: string | undefined;
  readonly see: string | undefined;
  readonly subject: ExprText | undefined;
  readonly parts: readonly MessagePart[];
  readonly diagnostics: readonly string[];
}

export interface RuleModel {
  readonly context: ExprText;
  readonly lets: readonly LetModel[];
  readonly checks: readonly CheckModel[];
}

export interface PatternModel {
  readonly id: string;
  readonly lets: readonly LetModel[];
  readonly rules: readonly RuleModel[];
}

export interface PhaseModel {
  readonly id: string;
  readonly active: readonly string[];
  readonly lets: readonly LetModel[];
}

export interface KeyModel {
  readonly name: string;
  readonly match: ExprText;
  readonly use: ExprText;
}

/** An instruction in the body of an `xsl:function`. */
export type Instruction =
  | { readonly i: "sequence"; readonly select: ExprText }
  | { readonly i: "value-of"; readonly select: ExprText; readonly separator: string }
  | { readonly i: "text"; readonly text: string }
  | {
    readonly i: "variable";
    readonly name: string;
    readonly as: ExprText | undefined;
    readonly body: readonly Instruction[];
  }
  | {
    readonly i: "choose";
    readonly branches: readonly {
      readonly test: ExprText;
      readonly body: readonly Instruction[];
    }[];
    readonly otherwise: readonly Instruction[];
  }
  | { readonly i: "for-each"; readonly select: ExprText; readonly body: readonly Instruction[] };

export interface FunctionModel {
  /** Lexical QName, with the prefixes of `place`. */
  readonly name: ExprText;
  readonly params: readonly { readonly name: string; readonly as: ExprText | undefined }[];
  readonly as: ExprText | undefined;
  readonly body: readonly Instruction[];
}

/** A rule set as read: includes resolved, abstract rules and patterns expanded, nothing compiled. */
export interface SchemaModel {
  readonly file: string;
  readonly title: string;
  readonly defaultPhase: string | undefined;
  readonly prefixes: ReadonlyMap<string, string>;
  readonly lets: readonly LetModel[];
  readonly keys: readonly KeyModel[];
  readonly functions: readonly FunctionModel[];
  readonly phases: ReadonlyMap<string, PhaseModel>;
  readonly patterns: readonly PatternModel[];
  readonly diagnostics: ReadonlyMap<string, DiagnosticModel>;
}
