import { Route, Switch } from "wouter";
import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Audit } from "./audit.tsx";
import { Check } from "./check.tsx";
import { LicensePanel } from "./license.tsx";
import { Logs } from "./logs.tsx";
import { Role, Roles } from "./roles.tsx";
import { User, Users } from "./users.tsx";
import { PEOPLE_PARTS } from "../parts.ts";
import { PEOPLE } from "./words.ts";

/** Pages of users, roles, permissions, the audit trail, logs and the license. */
export default function People() {
  return (
    <Switch>
      <Route path="/people/users/:name">
        {({ name }) => <User key={name} name={name} />}
      </Route>
      <Route path="/people/roles/:name">
        {({ name }) => <Role key={name} name={name} />}
      </Route>
      <Route>
        <Parts />
      </Route>
    </Switch>
  );
}

function Parts() {
  const words = useWords(PEOPLE);
  const contents = {
    users: <Users />,
    roles: <Roles />,
    check: <Check />,
    audit: <Audit />,
    logs: <Logs />,
    licence: <LicensePanel />,
  };
  const parts = PEOPLE_PARTS.parts.map(({ name, ...it }) => ({
    ...it,
    label: words[name],
    content: contents[name],
  }));
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} page={PEOPLE_PARTS.page} parts={parts} />
    </Page>
  );
}
