/** What is known of users who are not there: rules act in the name of whoever wrote them. */
export interface Accounts {
  /** False while authentication is off: nobody has an account. */
  readonly enabled: boolean;
  /** False also for a user who is unknown or inactive. */
  holds(username: string, code: string): Promise<boolean>;
  emailOf(username: string): Promise<string | undefined>;
}

/** For `AUTH=off`: everybody may do everything. */
export const noAccounts: Accounts = {
  enabled: false,
  holds: () => Promise.resolve(true),
  emailOf: () => Promise.resolve(undefined),
};
