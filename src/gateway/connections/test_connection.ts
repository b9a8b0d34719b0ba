import { collectSecrets } from "#src/domain/template/secrets.ts";
import type { Template } from "#src/domain/template/template.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { hastenDeliveries } from "#src/gateway/notifications/mod.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import { inBoth, say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import {
  type ConnectionKind,
  ownProperties,
  recordTest,
  TEMPLATE_OF,
} from "#src/platform/connection_states/mod.ts";
import { takeRateSlot } from "#src/platform/outbound_limits/mod.ts";
import { type TryDeps, tryTemplate, useTemplate } from "#src/platform/templates/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { isTemplateKind } from "./kinds.ts";
import { NotTested, TESTERS, type TestersDeps, UnknownHostKey } from "./testers.ts";

export type TestDeps = TestersDeps & TryDeps;

export interface TestRequest {
  readonly kind: ConnectionKind;
  readonly name: string;
  /** Values typed by the user, instead of the stored ones. Only for kinds with a template. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Typed definition of a pool, instead of the stored one. */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
  readonly by: Actor;
  /** True for callers who may read the technical cause of a failure. */
  readonly maySeeReason: boolean;
  readonly language: Language;
  readonly signal: AbortSignal;
}

export interface TestResult {
  readonly isWorking: boolean;
  /** False if a setting outside the connection is missing; the recorded state stays. */
  readonly isTested: boolean;
  readonly message: Text;
  /** Fingerprint of an SFTP server whose key is not entered yet. */
  readonly fingerprint?: string;
  /** Sentences about missing or wrong settings, by property. */
  readonly fields?: Readonly<Record<string, Sentence>>;
}

const TIMEOUT_MS = 15_000;
/** Tests of one kind that may begin in a minute, in all processes. */
const PACE = { calls: 20, perMs: 60_000 };
const EMPTY: Template = { name: "", type: "system", properties: {} };

/** Tests connections: one at a time per kind and process, each within 15 seconds. */
export type TestConnection = (request: TestRequest) => Promise<TestResult>;

/** Creates the tests of connections; one instance serves a process. */
export function createTests(deps: TestDeps): TestConnection {
  const { run: alone } = newSemaphore({
    limit: 1,
    waiting: 0,
    full: () => say`A test of this connection is under way; try again when it has ended`,
  });
  return (request) => alone(() => test(deps, request), { key: request.kind });
}

async function test(deps: TestDeps, request: TestRequest): Promise<TestResult> {
  const { kind, name, properties } = request;
  const waitMs = await takeRateSlot(deps.db, `connection test ${kind}`, PACE);
  if (waitMs !== undefined) {
    const retryAfter = Math.ceil(waitMs / 1000);
    throw new AppError("throttled", say`Too many tests; try again in ${retryAfter} s`, {
      retryAfter,
    });
  }
  const template = await readTemplate(deps, request);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const work = TESTERS[kind](deps, { ...request, template, signal });
  const ended = await withinTime(work, signal).then(
    (sentence) => ({ sentence, error: undefined }),
    (error: unknown) => ({ sentence: undefined, error }),
  );
  const { error, sentence } = ended;
  const message = withoutSecrets(inBoth(sentence ?? toSentence(error)), template);
  const isTested = !(error instanceof NotTested);
  if (isTested && !properties && !request.pool && !request.signal.aborted) {
    await recordTest(deps, { kind, name }, sentence ? undefined : message);
    if (kind === "mail" && sentence) await hastenDeliveries(deps);
  }
  return {
    isWorking: error === undefined,
    isTested,
    message: request.maySeeReason ? withoutSecrets(addReason(message, error), template) : message,
    ...findFields(error),
    ...error instanceof UnknownHostKey && { fingerprint: error.fingerprint },
  };
}

function findFields(error: unknown): Pick<TestResult, "fields"> {
  const fields = error instanceof AppError ? error.details["fields"] : undefined;
  return fields === undefined ? {} : { fields: fields as Record<string, Sentence> };
}

/** Adds the technical cause of a failure, which the stored state of the connection omits. */
function addReason({ en, fr }: Text, error: unknown): Text {
  const reason = error instanceof AppError ? error.reason : undefined;
  return reason ? inBoth(say`${{ en, fr }}: ${reason}`) : { en, fr };
}

async function readTemplate(
  deps: TestDeps,
  { kind, properties, by }: TestRequest,
): Promise<Template> {
  if (!isTemplateKind(kind)) return EMPTY;
  if (!properties) return await useTemplate(deps, TEMPLATE_OF[kind]);
  return await tryTemplate(deps, TEMPLATE_OF[kind], {
    properties: ownProperties(kind, properties),
    by,
  });
}

/** Ends the wait for a peer that ignores the signal. */
function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(new AppError("upstream", say`No answer within ${TIMEOUT_MS / 1000} s`));
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Removes secrets that a peer may have repeated in its answer. */
function withoutSecrets({ en, fr }: Text, template: Template): Text {
  const secrets = collectSecrets(template);
  const clean = (text: string) => secrets.reduce((rest, it) => rest.replaceAll(it, "***"), text);
  return { en: clean(en), fr: clean(fr) };
}
