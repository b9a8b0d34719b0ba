export { chartsForMails } from "./chart_for_mail.ts";
export { chartNamed, codeOfSource } from "./require_chart.ts";
export { type ChartData, type ChartDeps, readChart } from "./read_chart.ts";
export { shownParams, shownTarget } from "./show_chart.ts";
export { ChartData as ChartDataSchema, ShownParam, Target } from "./schemas.ts";
