import { z } from "zod";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { url, whole } from "./environment.ts";

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;

/** Environment variables of file storage; the S3 names are those of the stores' own tools. */
export const filesVariables = {
  FILES: z.string().refine(
    (it) => it === "folder" || it === "database" || BUCKET.test(it),
    { params: { sentence: say`folder, database or s3://bucket/prefix is expected` } },
  ).optional(),
  FILES_MAX_GB: whole(1, 1_000_000).default(100),
  AWS_ENDPOINT_URL_S3: url("https:", "http:").optional(),
  AWS_REGION: z.string().min(1).default("us-east-1"),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
};

type Variables = z.infer<z.ZodObject<typeof filesVariables>> & {
  readonly DATABASE_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
};

export function filesConfig(e: Variables) {
  const place = e.FILES ?? (e.REDIS_URL ? "database" : "folder");
  const [, bucket, prefix = ""] = BUCKET.exec(place) ?? [];
  return {
    inFolder: place === "folder",
    isChosen: e.FILES !== undefined,
    /** Largest total size of files stored outside a folder, in bytes. */
    maxBytes: e.FILES_MAX_GB * 1024 ** 3,
    s3: bucket === undefined ? undefined : {
      bucket,
      prefix: prefix === "" ? "" : `${prefix.replace(/\/+$/, "")}/`,
      endpoint: e.AWS_ENDPOINT_URL_S3,
      region: e.AWS_REGION,
      accessKeyId: e.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: e.AWS_SECRET_ACCESS_KEY ?? "",
      sessionToken: e.AWS_SESSION_TOKEN,
    },
  };
}

export function filesProblems(e: Variables): Sentence[] {
  const problems: Sentence[] = [];
  const { inFolder, s3 } = filesConfig(e);
  if (!inFolder && !e.DATABASE_URL) {
    problems.push(
      say`FILES=${
        e.FILES ?? ""
      } needs DATABASE_URL: the embedded product keeps files in its folder`,
    );
  }
  if (s3 && !(s3.accessKeyId && s3.secretAccessKey)) {
    problems.push(say`An S3 bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  }
  return problems;
}
