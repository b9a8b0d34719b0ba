import { Alert, Button, Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useMay } from "../../api/me.tsx";
import { GroupedTemplate } from "../../components/grouped_template.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/notes.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { useWords } from "../../i18n/language.ts";
import { COMPANY } from "./words.ts";

/** Template of the company; later companies have templates of their own. */
const TEMPLATE = "company";

/** Identity, bank account and VAT regime of the company. */
export default function Company() {
  const words = useWords(COMPANY);
  const may = useMay();
  const isFixed = !may("templates:write") || !may("setup:write");
  const groups = [
    { title: words.identity, names: ["siren", "name", "siret", "vatNumber"] },
    { title: words.address, names: ["street", "street2", "postCode", "city", "country"] },
    { title: words.bank, names: ["iban", "bic"] },
    { title: words.vat, names: ["vatRegime", "electronicAddress"] },
  ];
  return (
    <Page title={words.title} hint={words.hint}>
      <GroupedTemplate
        name={TEMPLATE}
        groups={groups}
        isFixed={isFixed}
        notes={(values) => givenProperty(values, "iban") ? {} : { iban: <NoIban /> }}
      >
        {(form) =>
          !isFixed && (
            <Group>
              <Button
                loading={form.isSaving}
                disabled={form.isStale}
                onClick={() => void form.save().catch(() => {})} // the form shows the error
              >
                {words.save}
              </Button>
            </Group>
          )}
      </GroupedTemplate>
    </Page>
  );
}

/** Note at the field of the IBAN. A link of an invoice that lacks it leads here. */
function NoIban() {
  const words = useWords(COMPANY);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === "#iban") note.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <Alert
      ref={note}
      color="yellow"
      variant="light"
      title={words.noIban}
      icon={<Icon name="warning" />}
    >
      {words.noIbanHint}
    </Alert>
  );
}
