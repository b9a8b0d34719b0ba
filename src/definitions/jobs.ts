import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { problemOfCron } from "#src/domain/schedule/cron.ts";
import { problemsOfJob } from "./job_expressions.ts";
import { addMark } from "./marks.ts";
import {
  Arguments,
  complain,
  distinct,
  Duration,
  Name,
  object,
  oneOf,
  Param,
  ParamName,
  refers,
  Text,
  Value,
  Version,
  Whole,
} from "./words.ts";

/** Paths of the jobs themselves. */
const RESERVED = ["runs", "cron-preview"];
/** Prefix of the jobs that document templates run by their schedules. */
export const TEMPLATE_JOBS = "template.";

const Retry = object({
  max_attempts: z.int().min(1).max(50).optional(),
  delay: Duration.optional(),
  factor: z.number().min(1).max(10).optional(),
  max_delay: Duration.optional(),
  jitter: z.boolean().optional(),
});
export type RetryDefinition = z.infer<typeof Retry>;

const Run = object({
  connector: refers("connector"),
  query: refers("query"),
  params: Arguments.optional(),
});
const DocumentTemplate = object({ template: z.string().min(1).max(200) });

/** Actions of a step; each step has exactly one. */
const ACTIONS = {
  query: Run.optional(),
  write: Run.optional(),
  http: object({
    connector: refers("connector"),
    endpoint: refers("endpoint"),
    params: Arguments.optional(),
  }).optional(),
  transaction: z.array(Run).min(1).max(50).optional(),
  export: object({
    screen: refers("screen"),
    format: z.enum(["xlsx", "csv", "json"]),
    params: Arguments.optional(),
  }).optional(),
  notify: oneOf(
    object({
      to: z.array(z.string().min(1).max(200)).min(1).max(100),
      template: z.string().min(1).max(100).optional(),
      text: Text.optional(),
      subject: Text.optional(),
      data: Arguments.optional(),
    }),
    ["template", "text"],
  ).optional(),
  job: object({ name: refers("job"), wait: z.boolean().optional(), params: Arguments.optional() })
    .optional(),
  sleep: Duration.optional(),
  reload: z.string().max(40).optional(),
  set: z.record(ParamName, Value).optional(),
  import: object({}).optional(),
  retrieve_statuses: object({}).optional(),
  download: DocumentTemplate.optional(),
  process: DocumentTemplate.optional(),
  resend: object({
    status: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
    company: z.string().min(1).max(200).optional(),
    from: z.string().min(1).max(200).optional(),
    to: z.string().min(1).max(200).optional(),
    limit: Whole.min(1).max(10_000).optional(),
  }).optional(),
};
export const STEP_KINDS = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
export type StepKind = (typeof STEP_KINDS)[number];

/** Permissions of steps that name nothing of the settings. */
export const STEP_CODES = {
  notify: "email:send",
  reload: "settings:reload",
  import: "invoices:run",
  retrieve_statuses: "invoices:run",
  download: "extract:run",
  process: "invoices:run",
  resend: "invoices:run",
} as const satisfies Partial<Record<StepKind, string>>;

const Step = oneOf(
  object({
    id: Name,
    if: z.string().max(1_000).optional(),
    for_each: object({
      items: z.string().max(1_000),
      as: ParamName,
      parallel: z.int().min(1).max(50).optional(),
      on_error: z.enum(["continue", "stop"]).optional(),
    }).optional(),
    timeout: Duration.optional(),
    retry: Retry.optional(),
    continue_on_error: z.boolean().optional(),
    limit: Whole.min(1).max(100_000).optional(),
    /** True if the step may run twice: after the loss of its worker it runs again. */
    idempotent: z.boolean().optional(),
    ...ACTIONS,
  }),
  STEP_KINDS,
);
export type StepDefinition = z.infer<typeof Step>;
const Steps = distinct(Step, "id", 200);

const Schedule = object({
  cron: z.string().min(1).max(100),
  timezone: z.string().max(60).optional(),
  missed: z.enum(["skip", "run_once", "run_all"]).optional(),
}).superRefine(({ cron, timezone = "UTC" }, context) => {
  const sentence = problemOfCron({ expression: cron, timezone });
  if (sentence) complain(context, { path: ["cron"], sentence });
});
export type ScheduleDefinition = z.infer<typeof Schedule>;

const Job = object({
  label: Text,
  description: Text.optional(),
  enabled: z.boolean().optional(),
  schedule: z.array(Schedule).max(20).optional(),
  max_late: Duration.optional(),
  run_as: z.string().max(64).optional(),
  params: z.record(ParamName, Param).optional(),
  timeout: Duration.optional(),
  concurrency: object({
    limit: z.int().min(1).max(100).optional(),
    policy: z.enum(["queue", "skip", "cancel_running"]).optional(),
    key: z.string().max(200).optional(),
  }).optional(),
  retry: Retry.optional(),
  steps: Steps,
  on_failure: Steps.optional(),
  finally: Steps.optional(),
  retention: object({ runs: z.int().min(50).max(10_000).optional(), logs: Duration.optional() })
    .optional(),
});
export type JobDefinition = z.infer<typeof Job>;

const CheckedJob = Job.superRefine((job, context) => {
  for (const problem of problemsOfJob(job)) complain(context, problem);
});

/** Named work with steps and a schedule. */
export const Jobs = object({
  version: Version,
  jobs: addMark(
    z.record(Name, CheckedJob).superRefine((jobs, context) => {
      for (const name of RESERVED.filter((it) => Object.hasOwn(jobs, it))) {
        const sentence = say`No job can be called ${name}, which is a path of the jobs themselves`;
        complain(context, { path: [name], sentence });
      }
      for (const name of Object.keys(jobs).filter((it) => it.startsWith(TEMPLATE_JOBS))) {
        const sentence =
          say`No job can be called ${name}: ${TEMPLATE_JOBS} begins the names of what document templates do`;
        complain(context, { path: [name], sentence });
      }
    }),
    { defines: "job" },
  ),
});

/** Returns the action of a step. */
export function getKind(step: StepDefinition): StepKind {
  return STEP_KINDS.find((it) => step[it] !== undefined) ?? "set";
}
