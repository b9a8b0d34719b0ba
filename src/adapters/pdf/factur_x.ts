import { createHash } from "node:crypto";
import {
  AFRelationship,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
} from "@cantoo/pdf-lib";
import { srgbProfile } from "./icc.ts";
import { type Description, OBJECTS_PER_TICK } from "./render.ts";
import { xmpPacket } from "./xmp.ts";

/** Name that Factur-X 1.0 prescribes for the embedded invoice. */
const FACTUR_X_FILE = "factur-x.xml";

/**
 * Turns the pages into a Factur-X file. Embeds the CII as an alternative of the pages and adds XMP, output intent
 * and identifier, which PDF/A-3b requires in addition to embedded fonts. The structure is written, but its
 * conformance is not verified.
 */
export async function toFacturX(
  document: PDFDocument,
  cii: string,
  description: Description,
): Promise<Uint8Array> {
  await document.attach(new TextEncoder().encode(cii), FACTUR_X_FILE, {
    mimeType: "text/xml",
    description: "Factur-X EN 16931",
    creationDate: description.createdAt,
    modificationDate: description.createdAt,
    afRelationship: AFRelationship.Alternative,
  });
  setMetadata(document, xmpPacket(description, FACTUR_X_FILE));
  setOutputIntent(document);
  setIdentifier(document, createHash("sha256").update(cii).update(description.title).digest("hex"));
  return await document.save({ useObjectStreams: false, objectsPerTick: OBJECTS_PER_TICK });
}

/** Sets the metadata uncompressed, since readers without PDF support search the packet as plain text. */
function setMetadata(document: PDFDocument, packet: string): void {
  const { context, catalog } = document;
  const stream = context.stream(new TextEncoder().encode(packet), {
    Type: "Metadata",
    Subtype: "XML",
  });
  catalog.set(PDFName.of("Metadata"), context.register(stream));
}

function setOutputIntent(document: PDFDocument): void {
  const { context, catalog } = document;
  const name = PDFString.of("sRGB IEC61966-2.1");
  const intent = context.obj({
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    OutputConditionIdentifier: name,
    Info: name,
    RegistryName: PDFString.of("http://www.color.org"),
    DestOutputProfile: context.register(context.flateStream(srgbProfile(), { N: 3 })),
  });
  catalog.set(PDFName.of("OutputIntents"), context.obj([context.register(intent)]));
}

function setIdentifier(document: PDFDocument, digest: string): void {
  const id = PDFHexString.of(digest.slice(0, 32).toUpperCase());
  document.context.trailerInfo.ID = document.context.obj([id, id]);
}
