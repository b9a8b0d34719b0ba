import { Route, Switch } from "wouter";
import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Audit } from "./audit.tsx";
import { Check } from "./check.tsx";
import { Licence } from "./licence.tsx";
import { Logs } from "./logs.tsx";
import { Role, Roles } from "./roles.tsx";
import { User, Users } from "./users.tsx";
import { PEOPLE } from "./words.ts";

/** Users, roles, what they may do and why, the audit trail, logs and the licence. */
export default function People() {
  return (
    <Switch>
      <Route path="/people/users/:name">
        {({ name }) => <User key={name} name={decodeURIComponent(name)} />}
      </Route>
      <Route path="/people/roles/:name">
        {({ name }) => <Role key={name} name={decodeURIComponent(name)} />}
      </Route>
      <Route>
        <Parts />
      </Route>
    </Switch>
  );
}

function Parts() {
  const words = useWords(PEOPLE);
  const parts = [
    { path: "/people/users", label: words.users, needs: ["users:read"], content: <Users /> },
    { path: "/people/roles", label: words.roles, needs: ["users:read"], content: <Roles /> },
    { path: "/people/check", label: words.check, needs: ["users:read"], content: <Check /> },
    { path: "/people/audit", label: words.audit, needs: ["audit:read"], content: <Audit /> },
    { path: "/people/logs", label: words.logs, needs: ["logs:read"], content: <Logs /> },
    {
      path: "/people/licence",
      label: words.licence,
      needs: ["license:read"],
      content: <Licence />,
    },
  ];
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} parts={parts} />
    </Page>
  );
}
