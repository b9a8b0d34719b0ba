import { assertEquals } from "@std/assert";
import type { Finding } from "#src/domain/validation/finding.ts";
import { addErpPositions } from "#src/gateway/documents/mod.ts";

const FILE = [
  `<R xmlns:e="urn:erp">\r\n<Batch/>\r\n`,
  `  <e:Bill><Nr>1</Nr>\r\n<Line><Unit>A</Unit></Line><Line><Unit>B</Unit></Line>`,
  `<Total><Net>3</Net></Total></e:Bill>`,
].join("");
const MADE =
  `<Invoice xmlns:c="urn:c"><ID>1</ID><c:Line><Unit/></c:Line><c:Line><Unit/></c:Line></Invoice>`;

/** Returns the reported field, and the text of the file at the reported position. */
function locate(
  told: { readonly field?: string; readonly location: string; readonly made?: string },
) {
  const at = FILE.indexOf("<e:Bill");
  const piece = {
    open: FILE.slice(0, at),
    text: FILE.slice(at),
    close: "\r\n</R>",
    line: 3,
    column: 3,
  };
  const finding: Finding = {
    level: "FATAL",
    source: "test",
    rule: "T-1",
    messageFr: "",
    messageEn: "",
    location: told.location,
    line: 1,
    column: 39,
    ...told.field === undefined ? {} : { sourceField: told.field },
  };
  const [one] = addErpPositions([finding], { piece, made: told.made ?? MADE });
  const line = FILE.split("\n")[(one?.line ?? 0) - 1] ?? "";
  return [one?.sourceField, line.slice((one?.column ?? 0) - 1).slice(0, 9)];
}

Deno.test("a finding points to its field in the ERP's file, or if unknown to its group or its invoice", () => {
  const of = (field: string, location: string, made?: string) =>
    locate({ field, location, ...made === undefined ? {} : { made } });
  assertEquals(of("Total/Net", "/Invoice"), ["Total/Net", "<Net>3</N"]);
  assertEquals(of("Nr", "/Invoice/ID"), ["Nr", "<Nr>1</Nr"]);
  assertEquals(of("Line/Unit", "/Invoice/c:Line[2]/Unit"), ["Line[2]/Unit", "<Unit>B</"]);
  assertEquals(of("Line/Unit", "/Invoice/ID"), ["Line/Unit", "<Unit>A</"], "of a sum, the first");
  assertEquals(
    of("Total/Gross", "/Invoice"),
    ["Total/Gross", "<Total><N"],
    "an element is missing",
  );
  assertEquals(locate({ location: "/Invoice" }), [undefined, "<e:Bill><"]);
  const three = MADE.replace("<c:Line>", "<c:Line/><c:Line>");
  assertEquals(
    of("Line/Unit", "/Invoice/c:Line[2]/Unit", three),
    ["Line/Unit", "<e:Bill><"],
    "a line more than the ERP has: which is which nobody knows",
  );
  const long = MADE.replace("<ID>", `<Note>${"n".repeat(2 * 1024 * 1024)}</Note><ID>`);
  assertEquals(
    of("Nr", "/Invoice/ID", long),
    ["Nr", "<e:Bill><"],
    "so long that reading it would hold others up",
  );
});
