import { lazy } from "react";
import { Route, Switch } from "wouter";
import { useRead } from "../../api/queries.ts";
import { Loaded } from "../../components/records.tsx";
import { Empty, Page } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { Beside, MenuTree } from "./menu.tsx";
import { APPS } from "./words.ts";

const ScreenPage = lazy(() => import("./screen/screen_page.tsx"));
const DashboardPage = lazy(() => import("./dashboard_page.tsx"));
const ChartPage = lazy(() => import("./charts/chart_page.tsx"));

/** Page with the menus of all apps and the entry that is open. */
export default function Apps() {
  const words = useWords(APPS);
  return (
    <Switch>
      <Route path="/apps">
        <Overview />
      </Route>
      <Route path="/apps/screen/:app/:screen">
        {({ app, screen }) => (
          <Beside>
            <ScreenPage key={`${app}/${screen}`} app={app} id={screen} />
          </Beside>
        )}
      </Route>
      <Route path="/apps/dashboard/:id">
        {({ id }) => (
          <Beside>
            <DashboardPage key={id} id={id} />
          </Beside>
        )}
      </Route>
      <Route path="/apps/chart/:id">
        {({ id }) => (
          <Beside>
            <ChartPage key={id} id={id} />
          </Beside>
        )}
      </Route>
      <Route>
        <Page title={words.title}>
          <Empty icon="search" title={words.unknown} />
        </Page>
      </Route>
    </Switch>
  );
}

function Overview() {
  const words = useWords(APPS);
  const menus = useRead("/api/menus");
  return (
    <Page title={words.title} hint={words.hint}>
      <Loaded of={menus}>
        {({ apps }) =>
          apps.length === 0
            ? <Empty icon="apps" title={words.none} hint={words.noneHint} />
            : <MenuTree apps={apps} isWide />}
      </Loaded>
    </Page>
  );
}
