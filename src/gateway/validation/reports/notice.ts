/** Notice shown before the result, such as a report that covers only part of a file. */
export interface ReportNotice {
  readonly fr: string;
  readonly en: string;
}
