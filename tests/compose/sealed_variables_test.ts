import { assert, assertEquals, assertRejects } from "@std/assert";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { withOpenedVariables } from "#src/compose/sealed_variables.ts";
import { loadConfig } from "#src/config/config.ts";
import { UNBOUND } from "#src/ports/vault.ts";
import { startS3 } from "#tests/support/s3_server.ts";

const KEY = "k".repeat(40);
const seal = (secret: string) => aesVault(KEY).seal(secret, UNBOUND);

Deno.test("secrets of the bucket and of the identity provider may be sealed in their variables", async () => {
  await using store = await startS3();
  const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings;
  const variables = {
    DATABASE_URL: "postgres://127.0.0.1/nowhere",
    SECRET_KEY: KEY,
    FILES: `s3://${bucket}/walk`,
    AWS_ENDPOINT_URL_S3: endpoint ?? "",
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: seal(secretAccessKey),
    PUBLIC_URL: "https://passerelle.example",
    OIDC_ISSUER: "https://login.example",
    OIDC_CLIENT_ID: "passerelle",
    OIDC_CLIENT_SECRET: seal("a secret between two"),
  };
  const opened = await withOpenedVariables(loadConfig(variables));
  assertEquals(opened.access.oidc?.clientSecret, "a secret between two");
  assert(opened.secrets.includes("a secret between two"), "kept out of the logs");
  const { s3 } = opened.files;
  if (!s3) throw new Error("no bucket is configured");
  const chunks = s3Chunks(s3);
  await chunks.put("sealed", 0, new TextEncoder().encode("taken"));
  const got = await chunks.get("sealed", 0, { from: 0, length: 5 });
  assertEquals(new TextDecoder().decode(got), "taken");

  const fresh = { ...variables, SECRET_KEY: "n".repeat(40) };
  await withOpenedVariables(loadConfig({ ...fresh, SECRET_KEY_OLD: KEY }));
  await assertRejects(
    () => withOpenedVariables(loadConfig(fresh)),
    Error,
    "OIDC_CLIENT_SECRET",
  );
});
