import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { useMay } from "../../api/me.tsx";
import { Page } from "../../components/notes.tsx";
import { PageParts } from "../../components/tabs.tsx";
import { useWords } from "../../i18n/language.ts";
import { PARTS, pathOfPart } from "./parts.ts";
import { SETTINGS } from "./words.ts";

const Sections = lazy(() => import("./sections.tsx"));
const Section = lazy(() => import("./section.tsx"));
const Templates = lazy(() => import("./templates.tsx"));
const Template = lazy(() => import("./template.tsx"));
const RuleSets = lazy(() => import("./rule_sets.tsx"));
const RuleSet = lazy(() => import("./rule_set.tsx"));
const CompareRules = lazy(() => import("./rule_compare.tsx"));
const Connectors = lazy(() => import("./connectors.tsx"));
const Connector = lazy(() => import("./connector.tsx"));
const Pools = lazy(() => import("./pools.tsx"));
const Pool = lazy(() => import("./pool.tsx"));
const Stylesheets = lazy(() => import("./stylesheets.tsx"));
const Stylesheet = lazy(() => import("./stylesheet.tsx"));
const Rename = lazy(() => import("./rename.tsx"));

/** Pages of the settings: sections, templates, stylesheets, rule sets and connectors. */
export default function Settings() {
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/settings/sections/:id/*?">
          {({ id }) => <Section key={id} id={id} />}
        </Route>
        <Route path="/settings/templates/new">
          <Template name={undefined} />
        </Route>
        <Route path="/settings/templates/of/:name">
          {({ name }) => <Template key={name} name={name} />}
        </Route>
        <Route path="/settings/stylesheets/source">
          <Stylesheet />
        </Route>
        <Route path="/settings/rename">
          <Rename />
        </Route>
        <Route path="/settings/rules/compare">
          <CompareRules />
        </Route>
        <Route path="/settings/rules/of/:id">
          {({ id }) => <RuleSet key={id} id={id} />}
        </Route>
        <Route path="/settings/connectors/of/:name">
          {({ name }) => <Connector key={name} name={name} />}
        </Route>
        <Route path="/settings/pools/of/:alias">
          {({ alias }) => <Pool key={alias} alias={alias} />}
        </Route>
        <Route>
          <Parts />
        </Route>
      </Switch>
    </Suspense>
  );
}

const CONTENTS = {
  sections: <Sections />,
  templates: <Templates />,
  stylesheets: <Stylesheets />,
  rules: <RuleSets />,
  connectors: <Connectors />,
  pools: <Pools />,
};

function Parts() {
  const words = useWords(SETTINGS);
  const may = useMay();
  if (!PARTS.some(({ needs }) => needs.some(may))) return <Rename />;
  const parts = PARTS.map(({ name, group, needs }) => ({
    path: pathOfPart(name),
    label: words[name],
    group: words.groups[group],
    needs,
    content: CONTENTS[name],
  }));
  return (
    <Page title={words.title} hint={words.hint}>
      <PageParts label={words.parts} page="/settings" parts={parts} />
    </Page>
  );
}
