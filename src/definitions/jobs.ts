import { z } from "zod";
import { say } from "#src/kernel/sentences/sentence.ts";
import { marked } from "./marks.ts";
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
  Version,
  Whole,
} from "./words.ts";

/** Paths of the jobs themselves. */
const RESERVED = ["runs", "cron-preview"];

const Retry = object({
  max_attempts: z.int().min(1).max(50).optional(),
  delay: Duration.optional(),
  factor: z.number().min(1).max(10).optional(),
  max_delay: Duration.optional(),
  jitter: z.boolean().optional(),
});

const Run = object({
  connector: refers("connector"),
  query: refers("query"),
  params: Arguments.optional(),
});
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
    format: z.enum(["xlsx", "csv"]),
    params: Arguments.optional(),
  }).optional(),
  notify: object({
    to: z.array(z.string().max(200)).min(1).max(100),
    template: z.string().max(100),
    data: Arguments.optional(),
  }).optional(),
  job: object({ name: refers("job"), wait: z.boolean().optional(), params: Arguments.optional() })
    .optional(),
  sleep: Duration.optional(),
  reload: z.string().max(40).optional(),
  set: Arguments.optional(),
};

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
    ...ACTIONS,
  }),
  Object.keys(ACTIONS),
);
const Steps = distinct(Step, "id", 200);

const Job = object({
  label: Text,
  description: Text.optional(),
  enabled: z.boolean().optional(),
  schedule: z.array(object({
    cron: z.string().min(1).max(100),
    timezone: z.string().max(60).optional(),
    missed: z.enum(["skip", "run_once", "run_all"]).optional(),
  })).max(20).optional(),
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

/** Named work with steps and a schedule. */
export const Jobs = object({
  version: Version,
  jobs: marked(
    z.record(Name, Job).superRefine((jobs, context) => {
      for (const name of RESERVED.filter((it) => Object.hasOwn(jobs, it))) {
        const sentence = say`No job can be called ${name}, which is a path of the jobs themselves`;
        complain(context, { path: [name], sentence });
      }
    }),
    { defines: "job" },
  ),
});
