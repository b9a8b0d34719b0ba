import { assertEquals } from "@std/assert";
import { writeCsv } from "#src/console/pages/finance/csv_text.ts";

Deno.test("CSV: amounts as the language writes them, quoted separators, and no text becomes a formula", () => {
  const rows = [["Client", "Montant"], ['=1+1; "x"', { amount: "-1234.50" }], ["Vallée, SA", 3]];
  assertEquals(
    writeCsv(rows, true),
    'Client;Montant\r\n"\'=1+1; ""x""";-1234,50\r\n"Vallée, SA";3\r\n',
  );
  assertEquals(
    writeCsv(rows, false),
    'Client,Montant\r\n"\'=1+1; ""x""",-1234.50\r\n"Vallée, SA",3\r\n',
  );
});
