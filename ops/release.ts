import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { VERSION } from "#src/kernel/version.ts";
import { generateSdk } from "#src/sdk/generate.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "..");
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Files of the image context; development files stay out. */
const CONTEXT = [
  ...[
    "Dockerfile",
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "package.json",
    "package-lock.json",
  ],
  ...["deno.json", "fly.toml", "docs", "drizzle", "ops", "src", "workers", "xsl"],
];

/**
 * Writes the files of a release of the last commit: image context, client package, API document, list of packages
 * (CycloneDX), release notes, and checksums of all of them. Throws Error if versions differ or files are not committed.
 */
export async function writeRelease(out: string): Promise<readonly string[]> {
  await checkVersions();
  await mkdir(out, { recursive: true });
  if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty; name a new folder`);
  const name = `passerelle-${VERSION}`;
  await run("git", [
    "archive",
    "--format=tar.gz",
    `--prefix=${name}/`,
    "-o",
    join(out, `${name}.tar.gz`),
    "HEAD",
    "--",
    ...CONTEXT,
  ]);
  await writeClient(out);
  await copyFile(join(ROOT, "tests", "openapi.json"), join(out, "openapi.json"));
  await writePackageList(join(out, "sbom.cdx.json"));
  await writeFile(join(out, "RELEASE_NOTES.md"), await readNotes());
  const files = (await readdir(out)).toSorted();
  const sums = await Promise.all(
    files.map(async (file) => `${await digest(join(out, file))}  ${file}\n`),
  );
  await writeFile(join(out, "SHA256SUMS"), sums.join(""));
  return [...files, "SHA256SUMS"];
}

async function checkVersions(): Promise<void> {
  for (const file of ["package.json", "package-lock.json", "tests/openapi.json"]) {
    const { version, info } = JSON.parse(await readFile(join(ROOT, file), "utf8"));
    const found = info?.version ?? version;
    if (found !== VERSION) {
      throw new Error(`${file} has version ${found}, src/kernel/version.ts has ${VERSION}`);
    }
  }
  const changed = await run("git", ["status", "--porcelain"]);
  if (changed.trim()) throw new Error(`Commit these files before a release:\n${changed}`);
}

async function writeClient(out: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-client-"));
  try {
    const from = join(ROOT, "tests", "openapi.json");
    await generateSdk({ out: folder, from, name: "passerelle-client" });
    await run("npm", ["pack", "--silent", "--pack-destination", out, folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lists the packages of the product, without those of development. */
async function writePackageList(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-packages-"));
  try {
    for (const it of ["package.json", "package-lock.json"]) {
      await copyFile(join(ROOT, it), join(folder, it));
    }
    // `npm sbom --omit dev` also leaves out packages that are peers of development packages.
    await run("npm", ["pkg", "delete", "devDependencies"], folder);
    await run("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], folder);
    const list = await run(
      "npm",
      ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"],
      folder,
    );
    await writeFile(path, list);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the section of this version in the changelog. */
async function readNotes(): Promise<string> {
  const text = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
  const section = text.split(/^(?=## \[)/m).find((it) => it.startsWith(`## [${VERSION}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ## [${VERSION}]`);
  return section.replace(/^## \[(.*?)\]/, "# Passerelle $1");
}

async function digest(path: string): Promise<string> {
  return createHash("sha256").update(await readFile(path)).digest("hex");
}

async function run(program: string, args: readonly string[], cwd = ROOT): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, maxBuffer: MAX_OUTPUT });
  return stdout;
}

if (import.meta.main) {
  const [out] = process.argv.slice(2);
  if (out === undefined) {
    process.stderr.write("deno task release FOLDER\n");
    process.exit(2);
  }
  for (const file of await writeRelease(resolve(out))) process.stdout.write(`${file}\n`);
}
