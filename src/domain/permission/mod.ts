export * from "./account.ts";
export * from "./claims.ts";
export * from "./code.ts";
export * from "./given_roles.ts";
export * from "./holdings.ts";
export * from "./need.ts";
export * from "./permission_set.ts";
export * from "./roles.ts";
