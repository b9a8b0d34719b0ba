import type { MessageBuilder } from "./message.ts";
import type { CheckModel } from "./model.ts";
import type { Code } from "./xpath/code.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";
import type { WhenAbsent } from "./xpath/when_absent.ts";

/** Assertion or report, ready to run. */
export interface CompiledCheck {
  readonly model: CheckModel;
  /** True when the finding is due. */
  readonly fires: (frame: EvaluationFrame) => boolean;
  /** Condition under which the check cannot fire. */
  readonly unless: WhenAbsent | undefined;
  readonly message: MessageBuilder;
  readonly diagnostics: readonly {
    readonly id: string;
    readonly lang: string | undefined;
    readonly role: string | undefined;
    readonly message: MessageBuilder;
  }[];
  readonly subject: Code | undefined;
}
