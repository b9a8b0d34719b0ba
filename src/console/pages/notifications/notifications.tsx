import { Route, Switch } from "wouter";
import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { Deliveries } from "./deliveries.tsx";
import { Inbox } from "./inbox.tsx";
import { RulePage } from "./rule_page.tsx";
import { Rules } from "./rules.tsx";
import { NOTIFICATION_PARTS } from "../parts.ts";
import { NOTIFICATIONS } from "./words.ts";

/** Pages of notifications: the reader's messages, the rules, and the deliveries. */
export default function Notifications() {
  return (
    <Switch>
      <Route path="/notifications/rules/new">
        <RulePage name={undefined} />
      </Route>
      <Route path="/notifications/rules/of/:name">
        {({ name }) => <RulePage key={name} name={name} />}
      </Route>
      <Route>
        <Parts />
      </Route>
    </Switch>
  );
}

function Parts() {
  const words = useWords(NOTIFICATIONS);
  const contents = {
    inbox: <Inbox />,
    rules: <Rules />,
    deliveries: <Deliveries />,
  };
  const parts = NOTIFICATION_PARTS.parts.map(({ name, ...it }) => ({
    ...it,
    label: words[name],
    content: contents[name],
  }));
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} page={NOTIFICATION_PARTS.page} parts={parts} />
    </Page>
  );
}
