export { parseMailSettings, readMailSettings } from "./mail_settings.ts";
export { endMailPause, sendMail, sendTestMail } from "./send_mail.ts";
export { explainFailure, sendEmail } from "./send_email.ts";
