/** What a reader must know before the verdict, such as that a report covers a part of a file. */
export interface ReportNotice {
  readonly fr: string;
  readonly en: string;
}
