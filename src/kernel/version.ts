/** Version in the health check and the API document; the same as in package.json. */
export const VERSION = "0.1.0";
