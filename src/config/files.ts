import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { BUCKET } from "./variable_schemas.ts";
import type { VariableValues } from "./variables.ts";

export function filesConfig(e: VariableValues) {
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

export function filesProblems(e: VariableValues): Sentence[] {
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
