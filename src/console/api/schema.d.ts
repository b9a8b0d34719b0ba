// Made by `deno task openapi`.
// deno-fmt-ignore-file
// deno-lint-ignore-file
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["console"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/parsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettings"];
        put: operations["replaceSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettingsText"];
        put?: never;
        post: operations["replaceSettingsText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSettingsRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettingsRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreSettingsRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/{section}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettingsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/api/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["applySettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/connectors/{name}/test-sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["renameSetting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/parsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguagePack"];
        put: operations["replaceLanguagePack"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguagePackText"];
        put?: never;
        post: operations["replaceLanguagePackText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLanguagePackRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguagePackRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreLanguagePackRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/i18n/{pack}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguagePackSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/cron-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewCron"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/_bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeJobRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJobRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/{run_id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["abortJobRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/{run_id}/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readJobFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/{run_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readJobLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/runs/{run_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayJobRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/license/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reloadLicence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/permissions/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainPermission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/permissions/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewRoles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reloadSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRoles"];
        put?: never;
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRole"];
        put: operations["changeRole"];
        post?: never;
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put: operations["changeUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{username}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitation"];
        put?: never;
        post: operations["inviteUser"];
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{username}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setUserPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{username}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeUserSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{username}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversation"];
        put: operations["renameConversation"];
        post?: never;
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/conversations/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["shareConversation"];
        delete: operations["unshareConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openSharedConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAiTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["staticReferenceOfDatabaseFamily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createDatabaseToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDatabaseUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogues/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCharts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/{id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["readChart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/{id}/drawing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["planChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/charts/{id}/image.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["drawChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/check-directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfigTemplate"];
        put: operations["replaceConfigTemplate"];
        post: operations["createConfigTemplate"];
        delete: operations["deleteConfigTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/template-properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplateProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/template/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["copyConfigTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConfigTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections/{kind}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConnector"];
        put?: never;
        post: operations["callConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showConnector"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDashboards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/audit/{table}/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["auditTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["closePool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/db/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readDatabaseQuery"];
        put: operations["updateDatabaseRow"];
        post: operations["insertDatabaseRow"];
        delete: operations["deleteDatabaseRow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dictionary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDictionary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dictionary/lookups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLookup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download-xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["downloadSpoolFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/downloads/{downloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export/repository": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extract-bip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["extractReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extract-xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["extractInvoiceXml"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/finance/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFinanceOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/finance/vat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVatReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fmw/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fmw/encrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["encryptText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fmw/modules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fmw/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listThemes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fs/browse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["browseFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fs/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["copyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fs/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fs/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["writeFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/home/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHomeFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/http/{connector}/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["callEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/i18n/_revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLanguageRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/i18n/{lang}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importFromPa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["markMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["markAllMessagesRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/insee-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["searchCompanies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integration-errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIntegrationErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoiceActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/attachments/{position}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["handleInvoiceAttention"];
        delete: operations["reopenInvoice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/erp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceErpPiece"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/factur-x": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceFacturX"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/lifecycle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceLifecycle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/readable-view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceReadableView"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setInvoiceStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/status-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStatusMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/treatment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["chooseInvoiceTreatment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/vat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceVat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceXml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/bulk-download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["downloadInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/bulk-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewBulkActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/bulk-resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/bulk-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setBulkStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRejectionCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvoiceTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLicence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createLiveTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLogs"];
        put?: never;
        post: operations["writeLogFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/menus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMenus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/menus/{app}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMenu"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/deliveries/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dismissDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayNotificationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testNotificationRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/usual-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createUsualRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPaHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/quarantine/{flowId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuarantinedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/quarantine/{flowId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayQuarantinedFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveWebhookCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pa/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProcessable"];
        put?: never;
        post: operations["processFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQueries"];
        put: operations["saveQueries"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retrieve-statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retrieveStatuses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRuleSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRuleSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["activateRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["overrideRule"];
        delete: operations["removeRuleOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["compareRuleSets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installRuleSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{runId}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["abortRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{runId}/causes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRunCauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScreens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{app}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScreensOfApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{app}/{screen_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getScreen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{app}/{screen_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportScreen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{app}/{screen_id}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["lockRecord"];
        delete: operations["unlockRecord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{app}/{screen_id}/locks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRecordLocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["backUpDatabase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/checklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChecklist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["examineInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/downgrade/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["downgradeSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installDatabase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/revision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["loadSampleData"];
        delete: operations["removeSampleData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["upgradeSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sql/{connector}/{query}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readQuery"];
        put?: never;
        post: operations["postQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sql/{connector}/{query}:write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["writeQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sql/{pool}/_schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["introspectPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStuckStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status-messages/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayStatusMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/submissions/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replaySubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStoppedTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{from}/copy/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["copyTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplate"];
        put: operations["replaceTemplate"];
        post?: never;
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["interactiveReferenceOfDatabaseFamily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/validate/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStylesheets"];
        put?: never;
        post?: never;
        delete: operations["deleteStylesheet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["compileStylesheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installStylesheets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/own": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOwnStylesheets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreStylesheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/revision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStylesheetRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStylesheetRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStylesheet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xsl/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tryStylesheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["completeOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["beginOidcSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeOwnPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["consoleFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["interactiveReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["referenceAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["staticReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedInvitation: {
            password: string;
            token: string;
        };
        AgeClass: {
            /** @enum {string} */
            age: "notDue" | "1-30" | "31-60" | "61-90" | "over90" | "noDueDate";
            amount: string;
            dueFrom: string | null;
            dueTo: string | null;
            invoices: number;
        };
        AgedBalance: {
            ages: components["schemas"]["AgeClass"][];
            currency: string;
            invoices: number;
            overdue: string;
            total: string;
        };
        AiAnswer: {
            conversation_id: string;
            /** @enum {string} */
            finish_reason: "stop" | "tool_calls" | "pending_approval" | "length" | "aborted" | "error";
            message: string;
            message_id: string | null;
            tool_calls: components["schemas"]["AiToolCall"][];
            usage: components["schemas"]["AiUsage"];
        };
        AiApproval: {
            at: string;
            by: string;
            /** @enum {string} */
            decision: "allow" | "deny";
        };
        AiConversation: components["schemas"]["AiConversationSummary"] & {
            limit: number;
            messages: components["schemas"]["AiMessage"][];
            offset: number;
            owner: string;
        };
        AiConversations: {
            items: components["schemas"]["AiConversationSummary"][];
            limit: number;
            offset: number;
            total: number;
        };
        AiConversationSummary: {
            app: string | null;
            created_at: string;
            id: string;
            message_count: number;
            model: string;
            share: components["schemas"]["AiShareState"] | null;
            title: string;
            turn_under_way: boolean;
            updated_at: string;
        };
        AiConversationTitle: {
            title: string;
        };
        AiDecision: {
            /** @enum {string} */
            decision: "allow" | "deny";
            tool_call_id: string;
        };
        AiMessage: {
            created_at: string;
            /** @enum {string|null} */
            finish_reason: "stop" | "tool_calls" | "pending_approval" | "length" | "aborted" | "error" | null;
            id: string;
            parts: (components["schemas"]["AiText"] | components["schemas"]["AiToolCall"])[];
            /** @enum {string} */
            role: "user" | "assistant";
            usage: components["schemas"]["AiUsage"] & (Record<string, never> | null);
        };
        AiModels: {
            models: string[];
        };
        AiSharedCall: {
            arguments: {
                [key: string]: unknown;
            };
            result: components["schemas"]["AiToolResult"] | null;
            /** @enum {string} */
            state: "pending_approval" | "running" | "succeeded" | "failed" | "denied";
            tool: string;
            /** @enum {string} */
            type: "tool_call";
        };
        AiSharedConversation: {
            created_at: string;
            expires_at: string;
            messages: components["schemas"]["AiSharedMessage"][];
            shared_at: string;
            title: string;
        };
        AiSharedMessage: {
            created_at: string;
            parts: (components["schemas"]["AiText"] | components["schemas"]["AiSharedCall"])[];
            /** @enum {string} */
            role: "user" | "assistant";
        };
        AiShareLink: {
            created_at: string;
            expires_at: string;
            include_results: boolean;
            path: string;
            token: string;
        };
        AiShareRequest: {
            /** @default 30 */
            expires_in_days: number;
            /** @default false */
            include_results: boolean;
        };
        AiShareState: {
            created_at: string;
            expires_at: string;
            include_results: boolean;
        };
        AiText: {
            text: string;
            /** @enum {string} */
            type: "text";
        };
        AiTool: {
            /** @enum {string} */
            confirm: "never" | "ask" | "always";
            description: string;
            input_schema: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            kind: "sql" | "http" | "product";
            /** @enum {string} */
            mode: "read" | "write";
            name: string;
            permission: string;
            title: string;
        };
        AiToolCall: {
            approval: components["schemas"]["AiApproval"] | null;
            arguments: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            confirm: "never" | "ask" | "always";
            duration_ms: number | null;
            error: string | null;
            id: string;
            permission: string | null;
            result: components["schemas"]["AiToolResult"] | null;
            started_at: string | null;
            /** @enum {string} */
            state: "pending_approval" | "running" | "succeeded" | "failed" | "denied";
            tool: string;
            /** @enum {string} */
            type: "tool_call";
        };
        AiToolResult: {
            about?: {
                [key: string]: unknown;
            };
            columns: string[];
            row_count: number;
            rows: unknown[][];
            truncated: boolean;
        };
        AiTools: components["schemas"]["AiTool"][];
        AiTurn: {
            app?: string;
            approvals?: components["schemas"]["AiDecision"][];
            /** Format: uuid */
            conversation_id?: string;
            message?: string;
            model?: string;
        };
        AiUsage: {
            input_tokens: number;
            output_tokens: number;
        };
        AllowedActions: {
            collectedByHand: boolean;
            force: boolean;
            resend: boolean;
            statuses: components["schemas"]["AllowedActionsStatuse"][];
            withheld: string | null;
        };
        AllowedActionsStatuse: {
            code: string;
            label: string;
            labelEn: string;
            needs: string[];
            /** @enum {string} */
            paName: "IN_HAND" | "APPROVED" | "PARTIALLY_APPROVED" | "DISPUTED" | "SUSPENDED" | "COMPLETED" | "PAYMENT_SENT" | "PAYMENT_RECEIVED" | "REFUSED" | "CANCELLED";
            reasons: components["schemas"]["AllowedActionsStatuseReason"][];
        };
        AllowedActionsStatuseReason: {
            code: string;
            label: string;
            labelEn: string;
        };
        ApplicationRecord: {
            APPS_DASHBOARD: number;
            APPS_DESCRIPTION: string;
            APPS_ID: number;
            APPS_LIMIT: number;
            APPS_NAME: string;
            APPS_OFFSET: number;
            APPS_POOL: string;
            APPS_THEME: string;
            APPS_VERSION: number;
            ROW_ID: number;
        };
        ApplicationRecords: {
            items: components["schemas"]["ApplicationRecord"][];
            meta_data: components["schemas"]["PoolCheckedMetaData"][];
            pool: string;
            rowCount: number;
            /** @enum {string} */
            status: "success";
        };
        AppMenu: components["schemas"]["Menu"] & {
            language: string;
            revision: string;
        };
        AttentionHandled: {
            comment: string;
            points: ("portal-refused" | "inadmissible" | "not-routed" | "not-transmitted" | "status-refused" | "filed-differently" | "content-differs" | "status")[];
        };
        AuditChain: {
            broken_at: number | null;
            entries: number;
        };
        Audited: {
            count: number;
            items: unknown[];
            /** @enum {string} */
            status: "success";
        };
        AuditedValues: {
            [key: string]: string | number | boolean | null;
        };
        AuditList: {
            entries: components["schemas"]["AuditListEntry"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
        };
        AuditListEntry: {
            actor: string;
            address: string | null;
            after?: unknown;
            /** Format: date-time */
            at: string;
            before?: unknown;
            event: string;
            hash: string;
            seq: number;
            target: string | null;
        };
        BipExtraction: {
            jobNumber: string;
            language?: string;
            /** @enum {string} */
            mode: "XML" | "PDF";
            outputDir: string;
            report?: string;
            version?: string;
        };
        BulkDownload: {
            ids: string[];
        };
        BulkPreview: {
            actions: components["schemas"]["BulkPreviewAction"][];
            invoices?: components["schemas"]["BulkPreviewInvoice"][];
        };
        BulkPreviewAction: {
            /** @enum {string} */
            action: "approve" | "collect" | "resend";
            ids: string[];
            leftOut: components["schemas"]["BulkPreviewActionLeftOut"][];
            recordedOnly: string[];
            totals: components["schemas"]["BulkPreviewActionTotal"][];
        };
        BulkPreviewActionLeftOut: {
            ids: string[];
            /** @enum {string} */
            reason: "missing" | "direction" | "status" | "under-way" | "settled" | "credit-note" | "findings" | "treatment" | "held";
        };
        BulkPreviewActionTotal: {
            amount: string;
            currency: string;
        };
        BulkPreviewInvoice: {
            id: string;
            ublNumber: string;
        };
        BulkPreviewRequest: {
            ids: string[];
        };
        BulkResend: {
            ids: string[];
        };
        BulkResult: {
            results: components["schemas"]["BulkResultResult"][];
        };
        BulkResultResult: {
            error: string | null;
            id: string;
            success: boolean;
            uuid: string | null;
        };
        BulkStatus: {
            ids: string[];
            /** @enum {string} */
            name: "APPROVED" | "PAYMENT_RECEIVED";
            statusAt?: string;
        };
        BundledStylesheet: {
            name: string;
            path: string;
            size: number;
        };
        BundledStylesheets: {
            stylesheets: components["schemas"]["BundledStylesheet"][];
        };
        Catalogue: {
            items: components["schemas"]["CatalogueItem"][];
            name: string;
        };
        CatalogueItem: {
            code: string;
            family?: string;
            final?: boolean;
            label: string;
            labelEn: string;
            national?: string | null;
            needs?: string[];
            paName?: string | null;
            plural?: string;
            scope?: string;
            setBy?: string[];
            statuses?: string[];
        };
        Chart: {
            data?: components["schemas"]["ChartData"];
            description?: string;
            drill?: components["schemas"]["ScreenTarget"];
            empty?: string;
            encoding: components["schemas"]["ChartEncoding"];
            id: string;
            label: string;
            language: string;
            lookups: {
                [key: string]: components["schemas"]["DictionaryLookup"];
            };
            options: {
                [key: string]: unknown;
            };
            params: {
                [key: string]: components["schemas"]["ShownParam"];
            };
            reference_lines?: components["schemas"]["ChartReferenceLine"][];
            revision: string;
            source: components["schemas"]["ChartSource"];
            thresholds?: components["schemas"]["ChartThreshold"][];
            type: string;
        };
        ChartChannel: {
            /** @enum {string} */
            aggregate?: "none" | "sum" | "avg" | "min" | "max" | "count";
            /** @enum {string} */
            direction?: "up_is_good" | "down_is_good";
            field: string;
            format?: {
                [key: string]: string | number | boolean;
            };
            lookup?: string;
            /** @enum {string} */
            sort?: "ascending" | "descending" | "none";
            /** @enum {string} */
            time_unit?: "year" | "quarter" | "month" | "week" | "day" | "hour";
            title: string;
            /** @enum {string} */
            type?: "quantitative" | "temporal" | "ordinal" | "nominal";
        };
        ChartData: {
            cached: boolean;
            columns: components["schemas"]["ChartDataColumn"][];
            generated_at: string;
            missing: string[];
            params: {
                [key: string]: unknown;
            };
            rows: unknown[][];
            truncated: boolean;
        };
        ChartDataColumn: {
            format?: {
                [key: string]: string | number | boolean;
            };
            label: string;
            lookup?: string;
            name: string;
            type: string;
        };
        ChartDrawing: {
            axes: components["schemas"]["DrawnAxes"];
            data: components["schemas"]["ChartData"];
            drawing: components["schemas"]["Drawing"];
            empty?: string;
            format?: {
                [key: string]: string | number | boolean;
            };
            language: string;
            lookups: {
                [key: string]: components["schemas"]["DictionaryLookup"];
            };
            notes: string[];
            options: {
                [key: string]: unknown;
            };
            reference_lines: components["schemas"]["ChartReferenceLine"][];
            thresholds: components["schemas"]["ChartThreshold"][];
            title: string;
        };
        ChartEncoding: {
            color?: components["schemas"]["ChartChannel"];
            compare?: components["schemas"]["ChartChannel"];
            size?: components["schemas"]["ChartChannel"];
            tooltip?: string[];
            value?: components["schemas"]["ChartChannel"];
            x?: components["schemas"]["ChartChannel"];
            y?: components["schemas"]["ChartChannel"];
        };
        ChartList: {
            charts: components["schemas"]["ListedChart"][];
            language: string;
            revision: string;
            total: number;
        };
        ChartParams: {
            [key: string]: unknown;
        };
        ChartReferenceLine: {
            label?: string;
            x?: number;
            y?: number;
        };
        ChartSource: {
            allowed: boolean;
            connector: string;
            endpoint?: string;
            max_rows?: number;
            query?: string;
        };
        ChartThreshold: {
            from: number;
            tone: string;
        };
        Chat: {
            context?: string;
            messages: components["schemas"]["ChatMessage"][];
            model?: string;
        };
        ChatMessage: {
            content: string;
            /** @enum {string} */
            role: "system" | "user" | "assistant";
        };
        Checklist: {
            samples: components["schemas"]["SampleData"];
            steps: components["schemas"]["ChecklistStep"][];
        };
        ChecklistStep: {
            detail?: string;
            /** @enum {string} */
            state: "done" | "failing" | "open";
            /** @enum {string} */
            step: "company" | "pa" | "mail" | "first_file" | "colleagues";
        };
        ColumnModel: {
            /** @enum {string} */
            MASKED: "Y" | "N";
            NAME: string;
            /** @enum {string} */
            NULLABLE: "Y" | "N";
            TYPE: string;
        };
        Companies: {
            results: unknown[];
            total_results: number;
        };
        CompanySearch: {
            page?: number;
            q: string;
        };
        Connection: {
            /** Format: date-time */
            checkedAt: string | null;
            /** Format: date-time */
            failingSince: string | null;
            /** @enum {string} */
            kind: "pa" | "directory" | "mail" | "sftp" | "pool" | "oidc" | "model";
            name: string;
            peer: string | null;
            reason: string | null;
            redirectUri?: string | null;
            /** @enum {string} */
            state: "works" | "fails" | "untested" | "not_set_up";
            /** Format: date-time */
            succeededAt: string | null;
            variables?: components["schemas"]["ConnectionVariable"][];
        };
        Connections: {
            connections: components["schemas"]["Connection"][];
        };
        ConnectionTest: {
            fields?: {
                [key: string]: string;
            };
            fingerprint?: string;
            message: string;
            tested: boolean;
            works: boolean;
        };
        ConnectionTestRequest: {
            name?: string;
            pool?: {
                [key: string]: unknown;
            };
            /**
             * @description Typed values that the test uses instead of the stored ones, by property name; `********` stands for the stored secret. Requires `setup:write`
             * @example {
             *       "URL": "https://pa.example.org"
             *     }
             */
            properties?: {
                [key: string]: string;
            };
        };
        ConnectionVariable: {
            isSet: boolean;
            name: string;
        };
        Connector: {
            calls: components["schemas"]["NamedCall"][];
            description?: string;
            label: string;
            name: string;
            /** @enum {string} */
            status: "available" | "unavailable" | "misconfigured";
            /** @enum {string} */
            type: "sql" | "http";
        };
        ConnectorAnswer: {
            body: string;
            error?: string;
            extractedValue?: unknown;
            requestUrl: string;
            statusCode: number;
            success: boolean;
        };
        ConnectorCall: {
            /** @default {} */
            params: {
                [key: string]: unknown;
            };
        };
        ConnectorEndpoints: {
            endpoints: components["schemas"]["ConnectorEndpointsEndpoint"][];
            /** @enum {boolean} */
            success: true;
        };
        ConnectorEndpointsEndpoint: {
            body: string;
            description: string;
            headers: string;
            label: string;
            method: string;
            name: string;
            params: string;
            responseField: string;
            url: string;
        };
        Connectors: {
            connectors: components["schemas"]["Connector"][];
        };
        Contribution: {
            permission: string;
            roles: string[];
        };
        CopiedTable: {
            ROW_ID: number;
            TABLE_NAME: string;
            TABLE_ROWS: number;
        };
        CronFire: {
            at: string;
            note?: string;
            /** Format: date-time */
            utc: string;
        };
        CronPreview: {
            expression: string;
            next: components["schemas"]["CronFire"][];
            timezone: string;
        };
        CurrentUser: {
            claims: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            display_name: string;
            has_password: boolean;
            last_event_id: string | null;
            permissions: string[];
            roles: string[];
            username: string;
        };
        Dashboard: {
            description?: string;
            id: string;
            label: string;
            language: string;
            layout: components["schemas"]["DashboardLayout"];
            lookups: {
                [key: string]: components["schemas"]["DictionaryLookup"];
            };
            panels: components["schemas"]["DashboardPanel"][];
            params: {
                [key: string]: components["schemas"]["ShownParam"];
            };
            pruned: number;
            refresh: string;
            revision: string;
        };
        DashboardLayout: {
            columns: number;
            row_height: number;
        };
        DashboardList: {
            dashboards: components["schemas"]["ListedDashboard"][];
            language: string;
            revision: string;
            total: number;
        };
        DashboardPanel: {
            chart?: string;
            data?: components["schemas"]["ChartData"];
            error?: string;
            grid: components["schemas"]["DashboardPanelGrid"];
            html?: string;
            id: string;
            /** @enum {string} */
            kind: "chart" | "text" | "grid";
            link?: components["schemas"]["ScreenTarget"];
            params?: {
                [key: string]: unknown;
            };
            screen?: string;
            title?: string;
        };
        DashboardPanelGrid: {
            h: number;
            w: number;
            x: number;
            y: number;
        };
        DatabaseFailure: {
            message: string;
            /** @enum {string} */
            status: "failed";
        };
        DatabaseReadFailure: {
            message: components["schemas"]["DatabaseReadFailureMessage"];
            /** @enum {string} */
            status: "failed";
        };
        DatabaseReadFailureMessage: {
            count: number;
            hasMore: boolean;
            items: components["schemas"]["DatabaseReadFailureMessageItem"][];
            limit: number;
            offset: number;
            query: string;
            /** @enum {string} */
            status: "error";
        };
        DatabaseReadFailureMessageItem: {
            message: string;
        };
        DatabaseRow: {
            [key: string]: unknown;
        };
        DatabaseRows: {
            count: number;
            hasMore: boolean;
            items: components["schemas"]["DatabaseRowsItem"][];
            limit: number;
            metadata: components["schemas"]["PoolCheckedMetaData"][];
            offset: number;
            /** @enum {string} */
            status: "success";
        };
        DatabaseRowsItem: {
            ROW_ID?: unknown;
        } & {
            [key: string]: unknown;
        };
        DatabaseWriteFailure: {
            message: components["schemas"]["DatabaseWriteFailureMessage"];
            /** @enum {string} */
            status: "failed";
        };
        DatabaseWriteFailureMessage: {
            count: number;
            items: components["schemas"]["DatabaseWriteFailureMessageItem"][];
            /** @enum {string} */
            status: "error";
        };
        DatabaseWriteFailureMessageItem: {
            line: {
                [key: string]: unknown;
            };
            message: string;
        };
        DatabaseWritten: {
            count: number;
            items: unknown[];
            /** @enum {string} */
            status: "success";
        };
        DaysSalesOutstanding: {
            days: number | null;
            from: string;
            periodDays: number;
            receivables: string;
            sales: string;
            to: string;
        };
        Debtor: {
            amount: string;
            invoices: number;
            name: string;
            oldestDue: string | null;
            reference: string;
        };
        Deposits: {
            deposited: number;
            late: number;
            oldest: string | null;
            waiting: number;
        };
        DialogField: {
            default?: unknown;
            description?: string;
            field: string;
            help?: string;
            input: string;
            label: string;
            lookup?: string;
            max?: number | string;
            min?: number | string;
            readonly?: boolean | {
                /** @enum {string} */
                on: "create" | "update";
            };
            required?: boolean;
            rows?: number;
            step?: number;
            type?: string;
            visible_when?: components["schemas"]["ScreenGridStyleWhen"];
            /** @enum {string} */
            width?: "half" | "full";
        };
        DialogOperation: {
            confirm?: string;
            params: {
                [key: string]: components["schemas"]["ShownParam"];
            };
            query: string;
        };
        DialogTab: {
            detail?: components["schemas"]["DialogTabDetail"];
            fields?: components["schemas"]["DialogField"][];
            id: string;
            label: string;
        };
        DialogTabDetail: {
            params?: {
                [key: string]: string;
            };
            screen: string;
        };
        Dictionary: {
            columns: {
                [key: string]: components["schemas"]["DictionaryColumn"];
            };
            labels: {
                [key: string]: string;
            };
            language: string;
            lookups: {
                [key: string]: components["schemas"]["DictionaryLookup"];
            };
            revision: string;
        };
        DictionaryColumn: {
            /** @enum {string} */
            align: "start" | "center" | "end";
            description?: string;
            format?: {
                [key: string]: string | number | boolean;
            };
            label: string;
            lookup?: string;
            short: string;
            type?: string;
            width: number | "auto";
        };
        DictionaryLookup: {
            depends_on?: {
                [key: string]: string;
            };
            limit?: number;
            search?: string;
            /** @enum {string} */
            type: "static" | "query";
            values?: components["schemas"]["LookupValue"][];
        };
        DirectoryAnswer: {
            addresses: components["schemas"]["DirectoryAnswerAddresse"][];
            found: boolean;
            hasWrongKey: boolean;
            isCompanyOnly: boolean;
            isTrial: boolean;
            message: string;
        };
        DirectoryAnswerAddresse: {
            identifier: string;
            isActive: boolean;
            /** @enum {string|null} */
            platform: "pa" | "portal" | null;
        };
        DirectorySubject: {
            identifier?: string;
            siren?: string;
            siret?: string;
        };
        DocumentVerdict: {
            findings: components["schemas"]["Finding"][];
            invoice: {
                currency: string | null;
                customer: string | null;
                number: string | null;
                supplier: string | null;
                total: string | null;
            } | null;
            rules: components["schemas"]["DocumentVerdictRules"];
            sets: components["schemas"]["DocumentVerdictSet"][];
            valid: boolean;
            xml: string | null;
            xsd: components["schemas"]["DocumentVerdictXsd"];
        };
        DocumentVerdictRules: {
            of: number;
            ran: number;
        };
        DocumentVerdictSet: {
            id: string;
            title: string;
            version: string;
        };
        DocumentVerdictXsd: {
            errors: number;
            valid: boolean;
        };
        Done: {
            /** @enum {boolean} */
            success: true;
        };
        Download: components["schemas"]["Downloaded"] & {
            error?: string;
            /** @enum {string} */
            state: "waiting" | "done" | "failed";
            success?: boolean;
        };
        Downloaded: components["schemas"]["Extracted"] & {
            /** Format: uuid */
            downloadId: string;
        };
        Drawing: {
            before?: number | null;
            categories?: string[];
            cells?: number[][];
            columns?: components["schemas"]["DrawnColumn"][];
            keys?: string[];
            kind: string;
            less_is_better?: boolean;
            lines?: string[][];
            rows?: string[];
            series?: components["schemas"]["DrawnSeries"][];
            value?: number | null;
        };
        DrawnAxes: {
            x?: string;
            y?: string;
        };
        DrawnColumn: {
            is_number: boolean;
            label: string;
        };
        DrawnSeries: {
            dots?: (number | null)[][];
            key?: string;
            name: string;
            values?: (number | null)[];
        };
        Email: {
            body: string;
            cc?: string | string[];
            invoiceId?: string;
            subject: string;
            to: string | string[];
        };
        EmailSent: {
            file?: string;
            messageId: string;
            refused?: string[];
            /** @enum {boolean} */
            success: true;
            /** @enum {string} */
            via: "smtp" | "folder";
        };
        Encrypted: {
            encrypted: string;
        };
        EncryptRequest: {
            plain_text?: string;
        };
        EndpointAnswer: {
            cached: boolean;
            data?: unknown;
            duration_ms: number;
            items?: unknown[];
            ok: boolean;
            outputs: {
                [key: string]: unknown;
            };
            status: number;
            value?: unknown;
        };
        EndpointParams: {
            [key: string]: unknown;
        };
        EndpointTest: {
            connector: string;
            endpoint: {
                [key: string]: unknown;
            };
            /** @default {} */
            params: {
                [key: string]: unknown;
            };
            /** @default false */
            write: boolean;
        };
        Examination: {
            items: components["schemas"]["ExaminationItem"][];
        };
        ExaminationItem: {
            advice: string | null;
            found: string;
            /** @enum {string} */
            state: "ok" | "warning" | "failed";
            what: string;
        };
        Extracted: {
            files: string[];
            /** @enum {boolean} */
            success: true;
        };
        Failure: {
            error: string;
            /** @enum {boolean} */
            success: false;
        };
        FileContent: {
            content: string;
            path: string;
            /** @enum {boolean} */
            success: true;
        };
        FileCopy: {
            dest: string;
            source: string;
        };
        FileListing: {
            items: components["schemas"]["FileListingItem"][];
            parent: string | null;
            path: string;
            /** @enum {boolean} */
            success: true;
        };
        FileListingItem: {
            name: string;
            path: string;
            size?: number;
            /** @enum {string} */
            type: "file" | "dir";
        };
        FileWrite: {
            content: string;
            path: string;
        };
        FileWritten: {
            doesNotCompile?: components["schemas"]["FileWrittenDoesNotCompile"];
            revision?: number;
            /** @enum {boolean} */
            success: true;
        };
        FileWrittenDoesNotCompile: {
            file: string;
            line: number;
            message: string;
        };
        FinanceOverview: {
            acceptance: components["schemas"]["FirstAcceptance"];
            computedAt: string;
            debtors: components["schemas"]["Debtor"][];
            deposits: components["schemas"]["Deposits"];
            dso: components["schemas"]["DaysSalesOutstanding"];
            from: string;
            payables: components["schemas"]["AgedBalance"][];
            receivables: components["schemas"]["AgedBalance"][];
            to: string;
            today: string;
            unanswered: components["schemas"]["Unanswered"][];
        };
        Finding: {
            businessTerm: string | null;
            column: number;
            evaluated: boolean;
            expected: string | null;
            followsFrom?: string | null;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO";
            line: number;
            location: string;
            message: string;
            messageEn: string;
            messageFr: string;
            rule: string;
            source: string;
            sourceField: string | null;
            value: string | null;
        };
        FirstAcceptance: {
            accepted: number;
            before: number | null;
            rate: number | null;
            submitted: number;
        };
        FolderProcess: {
            template: string;
        };
        FolderProcessed: {
            known: components["schemas"]["FolderProcessedRun"][];
            refused: components["schemas"]["FolderProcessedRefused"][];
            runs: components["schemas"]["FolderProcessedRun"][];
            /** @enum {boolean} */
            success: true;
        };
        FolderProcessedRefused: {
            error: string;
            file: string;
        };
        FolderProcessedRun: {
            file: string;
            /** Format: uuid */
            runId: string;
        };
        GridColumn: {
            /** @enum {string} */
            align: "start" | "center" | "end";
            description?: string;
            /** @enum {string} */
            display?: "text" | "badge" | "link" | "boolean" | "progress" | "date" | "money" | "message";
            field: string;
            format?: {
                [key: string]: string | number | boolean;
            };
            grow?: number;
            hidden?: boolean;
            label: string;
            link?: string;
            lookup?: string;
            /** @enum {boolean} */
            missing?: true;
            /** @enum {string} */
            pinned?: "start" | "end";
            short: string;
            /** @enum {boolean} */
            sortable?: true;
            /** @enum {string} */
            total?: "sum" | "avg" | "min" | "max" | "count";
            type?: string;
            width: number | "auto";
        };
        GridFilter: {
            field?: string;
            label: string;
            lookup?: string;
            op?: string;
            param?: string;
            required?: boolean;
            type?: string;
        };
        Health: {
            build: string;
            /** @enum {boolean} */
            ok: true;
            version: string;
        };
        HeldLock: {
            acquired_at: string;
            expires_at: string;
            holder: components["schemas"]["LockHolder"];
            key: {
                [key: string]: string;
            };
        };
        Home: {
            sales: components["schemas"]["HomeSales"];
            today: string;
            unread: number;
            waiting: components["schemas"]["WaitingWork"][];
            withSamples: boolean;
        };
        HomeAmount: {
            amount: string;
            currency: string;
        };
        HomeFigures: {
            before: components["schemas"]["HomeFiguresBefore"];
            firstSteps?: components["schemas"]["Checklist"];
            month: components["schemas"]["HomeFiguresMonth"];
            today: string;
        };
        HomeFiguresBefore: {
            disputed: components["schemas"]["HomeFiguresMonthDisputed"];
            firstTime: components["schemas"]["HomeFiguresMonthFirstTime"];
            firstTimeRate: number | null;
            from: string;
            issued: components["schemas"]["HomeFiguresMonthIssued"];
            late: components["schemas"]["HomeFiguresMonthLate"];
            to: string;
            toCollect: components["schemas"]["HomeFiguresMonthToCollect"];
        };
        HomeFiguresMonth: {
            disputed: components["schemas"]["HomeFiguresMonthDisputed"];
            firstTime: components["schemas"]["HomeFiguresMonthFirstTime"];
            firstTimeRate: number | null;
            from: string;
            issued: components["schemas"]["HomeFiguresMonthIssued"];
            late: components["schemas"]["HomeFiguresMonthLate"];
            to: string;
            toCollect: components["schemas"]["HomeFiguresMonthToCollect"];
        };
        HomeFiguresMonthDisputed: {
            amounts: components["schemas"]["HomeAmount"][];
            invoices: number;
        };
        HomeFiguresMonthFirstTime: {
            accepted: number;
            submitted: number;
        };
        HomeFiguresMonthIssued: {
            amounts: components["schemas"]["HomeAmount"][];
            invoices: number;
        };
        HomeFiguresMonthLate: {
            amounts: components["schemas"]["HomeAmount"][];
            invoices: number;
        };
        HomeFiguresMonthToCollect: {
            amounts: components["schemas"]["HomeAmount"][];
            invoices: number;
        };
        HomeSales: {
            count: number;
            countIsCapped: boolean;
        };
        Inbox: {
            messages: components["schemas"]["InboxMessage"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
            unread: number;
        };
        InboxMessage: {
            createdAt: string;
            id: string;
            invoice: string;
            message: string;
            number: string | null;
            partner: string | null;
            readAt: string | null;
            rule: string;
            status: string;
            statusLabel: string;
            statusReason: string | null;
            subject: string;
            target: string;
        };
        IntegrationErrors: {
            errors: components["schemas"]["IntegrationErrorsError"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
        };
        IntegrationErrorsError: {
            businessTerm: string | null;
            column: number;
            createdAt: string;
            dct: string;
            doc: string;
            evaluated: boolean;
            expected: string | null;
            followsFrom?: string | null;
            kco: string;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO";
            line: number;
            location: string;
            message: string;
            messageEn: string;
            messageFr: string;
            rule: string;
            /** Format: uuid */
            runId: string | null;
            seqn: number;
            source: string;
            sourceField: string | null;
            value: string | null;
        };
        InvitationAccepted: {
            username: string;
        };
        InvitationChecked: {
            company: string | null;
            username: string;
        };
        InvitationRevoked: {
            /** @enum {boolean} */
            ok: true;
        };
        InvitationToCheck: {
            token: string;
        };
        Invited: {
            /** Format: date-time */
            expires_at: string;
            link: string | null;
            /** @enum {string|null} */
            missing: "address" | "mail_server" | "public_url" | null;
            sent_to: string | null;
        };
        Invoice: {
            invoice: components["schemas"]["InvoiceFields"];
        };
        InvoiceAttention: {
            /** @enum {string} */
            code: "portal-refused" | "inadmissible" | "not-routed" | "not-transmitted" | "status-refused" | "filed-differently" | "content-differs" | "treatment-undecided";
            label: string;
            labelEn: string;
        };
        InvoiceAttentionDetails: {
            at: string | null;
            by: string | null;
            /** @enum {string} */
            code: "portal-refused" | "inadmissible" | "not-routed" | "not-transmitted" | "status-refused" | "filed-differently" | "content-differs" | "treatment-undecided";
            happened: string;
            label: string;
            labelEn: string;
            message: string;
            reasonCode: string | null;
            reasonLabel: string | null;
            todo: string;
        };
        InvoiceDetails: {
            attachments: components["schemas"]["InvoiceDetailsAttachment"][];
            buyer: components["schemas"]["InvoiceParty"] | null;
            delivery: {
                address: string[];
                date: string;
                name: string;
            } | null;
            notes: components["schemas"]["InvoiceDetailsNote"][];
            payments: components["schemas"]["InvoiceDetailsPayment"][];
            paymentTerms: components["schemas"]["InvoiceDetailsPaymentTerm"][];
            /** @enum {string|null} */
            readableView: "factur-x" | "attachment" | "pa" | null;
            references: components["schemas"]["InvoiceDetailsReferences"];
            seller: components["schemas"]["InvoiceParty"] | null;
        };
        InvoiceDetailsAttachment: {
            description: string;
            fileName: string;
            id: string;
            isReadableView: boolean;
            location: string;
            mimeType: string;
            position: number;
            size: number | null;
        };
        InvoiceDetailsNote: {
            subject: string;
            text: string;
        };
        InvoiceDetailsPayment: {
            account: string;
            accountName: string;
            bic: string;
            card: string;
            cardHolder: string;
            debitedAccount: string;
            mandate: string;
            meansCode: string;
            meansLabel: string;
            meansText: string;
            remittance: string;
        };
        InvoiceDetailsPaymentTerm: {
            amount: number | null;
            dueDate: string;
            note: string;
            percentage: number | null;
        };
        InvoiceDetailsReferences: {
            buyerReference: string;
            contract: string;
            despatchAdvice: string;
            order: string;
            preceding: string[];
            project: string;
            receivingAdvice: string;
            salesOrder: string;
        };
        InvoiceExportRequest: {
            attention?: string;
            cause?: string;
            columns?: ("ublNumber" | "customerName" | "supplierName" | "direction" | "issueDate" | "dueDate" | "totalHT" | "totalTTC" | "amountDue" | "openAmount" | "currency" | "invoiceType" | "kco" | "id" | "status" | "attention")[];
            counted?: boolean | string;
            currency?: string;
            customer?: string;
            /** Format: date */
            dateFrom?: string;
            /** Format: date */
            dateTo?: string;
            dct?: string;
            /** @enum {string} */
            direction?: "issued" | "received";
            /** Format: date */
            dueFrom?: string;
            /** Format: date */
            dueTo?: string;
            firstAccepted?: boolean | string;
            kco?: string;
            open?: boolean | string;
            payable?: boolean | string;
            /** Format: date-time */
            recordedFrom?: string;
            /** @enum {string} */
            role?: "seller" | "buyer";
            search?: string;
            /**
             * @default issueDate
             * @enum {string}
             */
            sortBy: "fedoc" | "ublNumber" | "issueDate" | "dueDate" | "totalTTC" | "customerName" | "supplierName" | "status" | "createdAt" | "fedct" | "kco" | "invoiceType" | "totalHT" | "amountDue" | "customerRef" | "currency" | "statusLabel" | "statusLabelEn";
            /**
             * @default desc
             * @enum {string}
             */
            sortDir: "asc" | "desc";
            status?: string;
            supplier?: string;
            treatment?: string;
            ublNumber?: string;
            unanswered?: boolean | string;
            vat?: string;
        };
        InvoiceFields: components["schemas"]["InvoiceSummary"] & {
            attentionDetails: components["schemas"]["InvoiceAttentionDetails"][];
            contractRef: string;
            createdAt: string;
            generation: number;
            id: string;
            jobNumber: string;
            orderRef: string;
            paUuid: string | null;
            processType: string;
            reasonCode: string | null;
            statusAt: string;
            supplierRef: string;
            supplierSiren: string;
            totalVat: number | null;
            treatmentDetails: components["schemas"]["InvoiceTreatment"] | null;
            updatedAt: string;
        };
        InvoiceFindings: {
            errors: components["schemas"]["Finding"][];
            total: number;
        };
        InvoiceLines: {
            lines: components["schemas"]["InvoiceLinesLine"][];
        };
        InvoiceLinesLine: {
            allowance: number | null;
            allowances: components["schemas"]["InvoiceLinesLineAllowance"][];
            baseQuantity: number | null;
            baseUnit: string;
            charge: number | null;
            charges: components["schemas"]["InvoiceLinesLineAllowance"][];
            currency: string;
            deliveryDate: string;
            deliveryPlace: string;
            description: string;
            despatchRef: string;
            documentLineId: string;
            grossPrice: number | null;
            itemId: string;
            lineAmount: number | null;
            lineId: number;
            lineKind: string;
            note: string;
            orderLineRef: string;
            orderRef: string;
            parentLineId: string;
            periodEnd: string;
            periodStart: string;
            priceDiscount: number | null;
            quantity: number | null;
            receivingRef: string;
            taxCategory: string;
            taxExemption: string;
            taxRate: number | null;
            unit: string;
            unitPrice: number | null;
        };
        InvoiceLinesLineAllowance: {
            amount: number | null;
            baseAmount: number | null;
            percentage: number | null;
            reason: string;
            reasonCode: string;
        };
        InvoiceList: {
            invoices: components["schemas"]["InvoiceSummary"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
        };
        InvoiceParty: {
            address: string[];
            contact: string;
            electronicAddress: string;
            name: string;
            siren: string;
            siret: string;
            tradingName: string;
            vatId: string;
        };
        InvoiceStats: {
            stats: components["schemas"]["InvoiceStatsStat"][];
        };
        InvoiceStatsStat: {
            count: number;
            countIsCapped: boolean;
            status: string;
            statusLabel: string;
            statusLabelEn: string;
        };
        InvoiceSummary: {
            amountDue: number | null;
            attention: components["schemas"]["InvoiceAttention"][];
            blockedSubmission?: string | null;
            breaksBindingRule?: boolean;
            currency: string;
            customerName: string;
            customerRef: string;
            /** @enum {string} */
            direction: "issued" | "received";
            dueDate: string;
            fedct: string;
            fedoc: string;
            invoiceType: string;
            issueDate: string;
            kco: string;
            openAmount: number | null;
            /** @enum {string} */
            role: "seller" | "buyer";
            settledAmount: number | null;
            status: string;
            statusHandling: components["schemas"]["StatusHandling"] | null;
            statusLabel: string;
            statusLabelEn: string;
            statusReason: string | null;
            statusReasonCode?: string | null;
            supplierName: string;
            template: string | null;
            totalHT: number | null;
            totalTTC: number | null;
            /** @enum {string|null} */
            treatment: "B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY" | "B2GINT" | "B2GOUTOFSCOPE" | "UNDEFINED" | "UNDECIDED" | null;
            ublNumber: string;
        };
        InvoiceTotals: {
            isCapped: boolean;
            totals: {
                count: number;
                currency: string;
                openAmount?: string;
                totalTTC: string;
            }[] | null;
        };
        InvoiceTreatment: {
            businessProcess: string;
            differsFromPa: boolean;
            paRule: string | null;
            paRuleSource: string | null;
            processingRule: string | null;
            question: {
                choices: ("B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY")[];
                reason: string;
            } | null;
            reports: ("10.1" | "10.2" | "10.3" | "10.4")[];
            /** @enum {string} */
            source: "person" | "call" | "document" | "template" | "computed";
            warnings: string[];
        };
        InvoiceVat: {
            vat: components["schemas"]["InvoiceVatVat"][];
        };
        InvoiceVatVat: {
            currency: string;
            sequence: number;
            taxableAmount: number | null;
            taxAmount: number | null;
            taxCategory: string;
            taxExemption: string;
            taxRate: number | null;
        };
        Job: {
            description?: string;
            enabled: boolean;
            label: string;
            last_run: components["schemas"]["JobRunSummary"] | null;
            name: string;
            open_runs: number;
            run_as: string | null;
            schedules: components["schemas"]["JobSchedule"][];
            /** @enum {string} */
            source: "settings" | "template";
        };
        JobDetail: {
            definition: {
                [key: string]: unknown;
            };
            description?: string;
            enabled: boolean;
            label: string;
            last_run: components["schemas"]["JobRunSummary"] | null;
            name: string;
            open_runs: number;
            run_as: string | null;
            runs: components["schemas"]["JobRunSummary"][];
            schedules: components["schemas"]["JobSchedule"][];
            /** @enum {string} */
            source: "settings" | "template";
        };
        JobError: {
            code: string;
            message: string;
            step: string | null;
        };
        JobList: {
            jobs: components["schemas"]["Job"][];
            limit: number;
            offset: number;
            total: number;
        };
        JobLog: {
            ended: boolean;
            lines: components["schemas"]["JobLogLine"][];
            log_lines_let_go: number;
            log_lines_total: number;
        };
        JobLogLine: {
            /** Format: date-time */
            at: string;
            data: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            message: string;
            seq: number;
            step: string | null;
        };
        JobRun: {
            acting_as: string | null;
            attempt: number;
            /** Format: date-time */
            created_at: string;
            duration_ms: number | null;
            /** Format: date-time */
            ended_at: string | null;
            error: components["schemas"]["JobError"] | null;
            from_step: string | null;
            job: string;
            log_lines_let_go: number;
            log_lines_total: number;
            logs: components["schemas"]["JobLogLine"][];
            params: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            parent: string | null;
            /** @enum {string|null} */
            phase: "queued" | "executing" | "aborting" | null;
            /** Format: uuid */
            replay_of: string | null;
            requested_by: string | null;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            scheduled_for: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "running" | "succeeded" | "failed" | "aborted";
            steps: components["schemas"]["JobStep"][];
            /** @enum {string} */
            trigger: "schedule" | "manual" | "replay" | "job";
            /** Format: date-time */
            wakes_at: string | null;
            withheld_params: string[];
        };
        JobRunList: {
            limit: number;
            offset: number;
            runs: components["schemas"]["JobRunSummary"][];
            total: number;
        };
        JobRunReplay: {
            from_step?: string;
            params?: {
                [key: string]: unknown;
            };
        };
        JobRunsChange: {
            /** @enum {string} */
            action: "abort" | "replay";
            filter: components["schemas"]["JobRunsChangeFilter"];
        };
        JobRunsChanged: {
            done: components["schemas"]["JobRunsChangedDone"][];
            matched: number;
            refused: components["schemas"]["JobRunsChangedRefused"][];
        };
        JobRunsChangedDone: {
            /** Format: uuid */
            new_run_id?: string;
            /** Format: uuid */
            run_id: string;
        };
        JobRunsChangedRefused: {
            detail: string;
            /** Format: uuid */
            run_id: string;
        };
        JobRunsChangeFilter: {
            /** Format: date-time */
            from?: string;
            job?: string;
            /** @enum {string} */
            status?: "running" | "succeeded" | "failed" | "aborted";
            /** Format: date-time */
            to?: string;
            /** @enum {string} */
            trigger?: "schedule" | "manual" | "replay" | "job";
        };
        JobRunStart: {
            /** @default {} */
            params: {
                [key: string]: unknown;
            };
        };
        JobRunStarted: {
            /** Format: uuid */
            run_id: string;
        };
        JobRunSummary: {
            acting_as: string | null;
            /** Format: date-time */
            created_at: string;
            duration_ms: number | null;
            /** Format: date-time */
            ended_at: string | null;
            error: components["schemas"]["JobError"] | null;
            job: string;
            /** @enum {string|null} */
            phase: "queued" | "executing" | "aborting" | null;
            /** Format: uuid */
            replay_of: string | null;
            requested_by: string | null;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            scheduled_for: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "running" | "succeeded" | "failed" | "aborted";
            /** @enum {string} */
            trigger: "schedule" | "manual" | "replay" | "job";
        };
        JobSchedule: {
            cron: string;
            /** @enum {string} */
            missed: "skip" | "run_once" | "run_all";
            next: string | null;
            timezone: string;
        };
        JobStep: {
            attempt: number;
            duration_ms: number | null;
            /** Format: date-time */
            ended_at: string | null;
            error: components["schemas"]["JobError"] | null;
            id: string;
            kind: string;
            output_preview: {
                [key: string]: unknown;
            } | null;
            row_count: number | null;
            /** @enum {string} */
            section: "steps" | "on_failure" | "finally";
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "pending" | "running" | "succeeded" | "failed" | "skipped" | "aborted";
            withheld: boolean;
        };
        JsonSchema: {
            [key: string]: unknown;
        };
        Jwks: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        LanguagePackTexts: {
            apps: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @enum {string} */
            direction: "ltr" | "rtl";
            language: string;
            messages: {
                [key: string]: unknown;
            };
            name: string;
            revision: string;
        };
        License: {
            days_left: number | null;
            /** Format: date-time */
            expires_at: string | null;
            id: string | null;
            /** Format: date-time */
            issued_at: string | null;
            payload: {
                customer: string;
                edition: string;
                features: string[];
                limits: {
                    [key: string]: number;
                };
            } | null;
            reason: string | null;
            /** @enum {string} */
            status: "valid" | "expired" | "invalid" | "absent";
        };
        Lifecycle: {
            events: components["schemas"]["LifecycleEvent"][];
        };
        LifecycleEvent: {
            actionCode: string | null;
            amounts: components["schemas"]["PaidAmount"][];
            createdAt: string;
            message: string;
            reasonCode: string | null;
            sequence: number;
            source: string;
            statusCode: string;
            statusLabel: string;
            statusLabelEn: string;
        };
        ListedChart: {
            description?: string;
            id: string;
            label: string;
            type: string;
        };
        ListedDashboard: {
            description?: string;
            id: string;
            label: string;
        };
        ListedScreen: {
            app: string;
            description?: string;
            id: string;
            label: string;
        };
        LiveTicket: {
            expires_in: number;
            /** @enum {boolean} */
            success: true;
            ticket: string;
        };
        LockHolder: {
            display_name: string;
            username: string;
        };
        LockRelease: {
            key?: {
                [key: string]: unknown;
            };
            token?: string;
        };
        LockReleased: {
            /** @enum {boolean} */
            ok: true;
            released: boolean;
        };
        LockRequest: {
            key: {
                [key: string]: unknown;
            };
            /** @default false */
            takeover: boolean;
        };
        LogDetails: {
            count: number;
            items: components["schemas"]["LogRecord"][];
            neighbours: components["schemas"]["LogRecord"][];
            /** @enum {string} */
            status: "success";
        };
        LogEntries: {
            count: number;
            hasMore: boolean;
            items: components["schemas"]["LogRecord"][];
            limit: number;
            offset: number;
            /** Format: date-time */
            searchedFrom?: string;
            /** @enum {string} */
            status: "success";
            total: number;
            totalIsCapped: boolean;
        };
        LogEntry: {
            message: string;
            module: string;
            severity: string;
            submodule: string;
        };
        LogFiles: {
            count: number;
            files: string[];
            /** @enum {string} */
            status: "success";
            truncated: boolean;
        };
        Login: {
            password: string;
            username: string;
        };
        LogRecord: {
            LOG_EVENT: string;
            LOG_FIELDS: {
                [key: string]: unknown;
            };
            LOG_ID: number;
            /** @enum {string} */
            LOG_LEVEL: "DEBUG" | "INFO" | "WARN" | "ERROR";
            LOG_PROCESS: string;
            LOG_REQUEST: string | null;
            /** Format: date-time */
            LOG_TIME: string;
            ROW_ID: number;
        };
        LookupPage: {
            has_more: boolean;
            items: components["schemas"]["LookupValue"][];
            name: string;
        };
        LookupValue: {
            active: boolean;
            color?: string;
            icon?: string;
            label: string;
            value: string | number | boolean;
        };
        McpMessage: {
            /** @enum {string} */
            jsonrpc: "2.0";
            method?: string;
        } & {
            [key: string]: unknown;
        };
        Menu: {
            app: string;
            icon?: string;
            items: components["schemas"]["MenuItem"][];
            label: string;
        };
        MenuItem: {
            badge?: components["schemas"]["MenuItemBadge"];
            icon?: string;
            id?: string;
            items?: components["schemas"]["MenuItem"][];
            label?: string;
            reachable?: boolean;
            /** @enum {boolean} */
            separator?: true;
            target?: components["schemas"]["MenuItemTarget"];
        };
        MenuItemBadge: {
            connector: string;
            query: string;
            refresh?: string;
        };
        MenuItemTarget: {
            chart?: string;
            dashboard?: string;
            new_tab?: boolean;
            screen?: string;
            url?: string;
        };
        Menus: {
            apps: components["schemas"]["Menu"][];
            language: string;
            revision: string;
        };
        MigratedVersion: {
            MIG_VERSION: string;
            ROW_ID: number;
        };
        MigrationRecord: {
            MIG_APPLIED_AT: string | null;
            MIG_NAME: string;
            /** @enum {string} */
            MIG_STATE: "applied" | "changed" | "unknown" | "pending";
            MIG_VERSION: string;
            ROW_ID: number;
        };
        MissingTexts: {
            language: string;
            missing: string[];
        };
        ModuleRecord: {
            MODULE_DESCRIPTION: string;
            /** @enum {string} */
            MODULE_ENABLED: "Y" | "N";
            MODULE_ID: string;
            MODULE_PARAMS?: {
                [key: string]: string;
            };
            ROW_ID: number;
        };
        ModuleRecords: {
            items: components["schemas"]["ModuleRecord"][];
            meta_data: components["schemas"]["PoolCheckedMetaData"][];
            pool: string;
            rowCount: number;
            /** @enum {string} */
            status: "success";
        };
        NamedCall: {
            columns: components["schemas"]["NamedCallColumn"][];
            description?: string;
            label: string;
            /** @enum {string} */
            mode: "read" | "write" | "call";
            name: string;
            params: components["schemas"]["NamedCallParam"][];
            permission: string;
        };
        NamedCallColumn: {
            name: string;
            type?: string;
        };
        NamedCallParam: {
            enum?: string[];
            label: string;
            lookup?: string;
            name: string;
            required: boolean;
            type: string;
        };
        NewPassword: {
            password: string;
        };
        NewRole: {
            description?: string;
            display_name?: string;
            inherits_from?: string[];
            name: string;
            permissions?: string[];
        };
        NewUser: {
            active?: boolean;
            claims?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            display_name?: string;
            /** Format: email */
            email?: string | null;
            /** @enum {string|null} */
            language?: "fr" | "en" | null;
            password?: string;
            roles?: string[];
            username: string;
        };
        Nothing: Record<string, never>;
        NotificationDeliveries: {
            deliveries: components["schemas"]["NotificationDeliveriesDelivery"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
        };
        NotificationDeliveriesDelivery: {
            address: string;
            attempts: number;
            /** @enum {string} */
            channel: "portal" | "email" | "action" | "dispatch";
            createdAt: string;
            error: string | null;
            eventId: string;
            id: string;
            invoice: string;
            nextAttemptAt: string | null;
            number: string | null;
            outageSince: string | null;
            outputs: {
                [key: string]: string;
            } | null;
            rule: string;
            settledAt: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "failed" | "dead";
            status: string;
            subject: string;
        };
        NotificationReplay: {
            from: string;
            rule: string | components["schemas"]["NotificationRule"];
            to: string;
        };
        NotificationReplayReport: {
            dispatches: components["schemas"]["NotificationReplayReportDispatche"][];
            examined: number;
            matched: number;
            /** @enum {boolean} */
            success: true;
            truncated: boolean;
        };
        NotificationReplayReportDispatche: {
            actions: components["schemas"]["NotificationReplayReportDispatcheAction"][];
            at: string;
            body: string;
            emails: string[];
            id: string;
            portal: string | null;
            portalMessage: string | null;
            reason: string;
            status: string;
            subject: string;
        };
        NotificationReplayReportDispatcheAction: {
            connector: string;
            parameters: {
                [key: string]: string;
            };
            target: string;
        };
        NotificationRule: {
            /** @default test */
            name: string;
            /**
             * @description `description`: Shown in the list of rules; `enabled`: A rule that is off is kept and does nothing; `trigger.status`: Status codes separated by commas; `trigger.reason`: Reason codes separated by commas; `direction`: Invoices that the rule is for; `channel.portal`: Read here, under Notifications; `channel.email`: Also sent by e-mail; `target.type`: Whether `target.name` is a user or a role; `target.name`: A username or a role; `email.list`: Separated by commas; `subject`: One line; values in braces come from the invoice; `body`: Plain text, with placeholders as in the subject; `portal.message`: Read under Notifications; `attachPdf`: Attaches the readable PDF; `chart`: A chart of the settings that e-mails show, drawn when they are sent; `language`: Language of the default texts, the labels and the PDF; `actions`: List of { description, connector, target, parameters, stopOnFailure }; connector names a template of that type
             * @default {}
             * @example {
             *       "enabled": "Y",
             *       "trigger.status": "207,213"
             *     }
             */
            properties: {
                [key: string]: string;
            };
            /** @enum {string} */
            type?: "notification-rule";
        };
        NotificationTest: {
            action?: string;
            dct: string;
            doc: string;
            kco: string;
            message?: string;
            reason?: string;
            rule: components["schemas"]["NotificationRule"];
            status?: string;
        };
        NotificationTestReport: {
            actions: number;
            emails: number;
            error?: string;
            portal: number;
            success: boolean;
        };
        Ok: {
            /** @enum {boolean} */
            ok: true;
        };
        OpenInvitation: {
            invitation: {
                created_by: string;
                email: string | null;
                /** Format: date-time */
                expires_at: string;
                is_expired: boolean;
            } | null;
        };
        OwnPassword: {
            current_password: string;
            password: string;
        };
        OwnStylesheet: {
            doesNotCompile: string | null;
            path: string;
            usedBy: components["schemas"]["StylesheetUser"][];
        };
        OwnStylesheets: {
            stylesheets: components["schemas"]["OwnStylesheet"][];
        };
        PackRevision: {
            apps: {
                [key: string]: string;
            };
            revision: string;
        };
        PackRevisions: {
            [key: string]: components["schemas"]["PackRevision"];
        };
        PaHealth: {
            /** @enum {string} */
            breaker: "closed" | "open" | "trial";
            error?: string;
            /** Format: date-time */
            failingSince?: string;
            latencyMs: number;
            name: string;
            reachable: boolean;
            retryInMs?: number;
            /** Format: date-time */
            succeededAt?: string;
        };
        PaidAmount: {
            amount: string;
            currency: string;
            rate: string;
        };
        PermissionExplained: {
            active: boolean;
            allowed: boolean;
            chains: string[][];
            code: string;
            grant: string | null;
            granting: string[];
            user: string;
        };
        Polled: {
            logs: components["schemas"]["LogEntry"][];
            /** @enum {boolean} */
            success: true;
        };
        PoolChecked: {
            meta_data: components["schemas"]["PoolCheckedMetaData"][];
            rowCount: number;
            rows: components["schemas"]["PoolCheckedRow"][];
            /** @enum {string} */
            status: "success";
        };
        PoolCheckedMetaData: {
            name: string;
            /** @enum {string} */
            type: "int" | "str" | "float" | "bool" | "date" | "datetime" | "bytes" | "UNKNOWN";
        };
        PoolCheckedRow: {
            CURRENT_DATE: string;
            ROW_ID: number;
        };
        PoolConnections: {
            busy: number;
            max: number;
            open: number;
            waiting: number;
        };
        PoolList: {
            pools: components["schemas"]["PoolListed"][];
            /** @enum {string} */
            status: "success";
        };
        PoolListed: {
            alias: string;
            connections: components["schemas"]["PoolConnections"] | null;
            driver: string;
            /** @enum {string} */
            source: "product" | "settings" | "environment";
            /** @enum {string} */
            state: "open" | "closed";
        };
        PoolSchema: {
            /** @enum {string} */
            dialect: "postgres" | "mysql" | "sqlite" | "mssql" | "oracle";
            pool: string;
            tables: components["schemas"]["PoolSchemaTable"][];
        };
        PoolSchemaTable: {
            columns: components["schemas"]["PoolSchemaTableColumn"][];
            foreign_keys: components["schemas"]["PoolSchemaTableForeignKey"][];
            /** @enum {string} */
            kind: "table" | "view";
            name: string;
            primary_key: string[];
            schema: string;
        };
        PoolSchemaTableColumn: {
            name: string;
            nullable: boolean;
            type: string;
        };
        PoolSchemaTableForeignKey: {
            columns: string[];
            references: components["schemas"]["PoolSchemaTableForeignKeyReferences"];
        };
        PoolSchemaTableForeignKeyReferences: {
            columns: string[];
            schema: string;
            table: string;
        };
        PoolTold: {
            message: string;
            /** @enum {string} */
            status: "success";
        };
        Processable: {
            templates: string[];
        };
        Prospect: {
            gained: string[];
            lost: string[];
            permissions: string[];
        };
        Quarantine: {
            flows: components["schemas"]["QuarantineFlow"][];
            next: string | null;
            reasons: components["schemas"]["QuarantineReason"][];
            total: number;
            totalIsCapped: boolean;
        };
        QuarantineFlow: {
            attempts: number;
            content: string | null;
            createdAt: string;
            fileSize: number | null;
            flowId: string;
            invoiceNumber: string | null;
            /** @enum {string} */
            kind: "unreadable" | "failed" | "waiting";
            metadata: {
                [key: string]: unknown;
            };
            nextAt: string | null;
            reason: string;
            replayable: boolean;
        };
        QuarantineReason: {
            count: number;
            reason: string;
        };
        QueryCall: {
            [key: string]: unknown;
        };
        QueryRows: {
            count?: number;
            hasMore: boolean;
            items: {
                [key: string]: unknown;
            }[];
            limit: number;
            metadata: components["schemas"]["QueryWrittenMetadata"][];
            next?: string;
            offset: number;
        };
        QueryWritten: {
            affected: number;
            after?: {
                [key: string]: unknown;
            }[];
            before?: {
                [key: string]: unknown;
            }[];
            dry_run: boolean;
            hasMore: boolean;
            items: {
                [key: string]: unknown;
            }[];
            limit: number;
            metadata: components["schemas"]["QueryWrittenMetadata"][];
            offset: number;
        };
        QueryWrittenMetadata: {
            name: string;
            type: string;
        };
        RateAmount: {
            amount: string;
            /** @default EUR */
            currency: string;
            rate: string;
        };
        Readiness: {
            database: string;
            draining: boolean;
            ok: boolean;
            queue: string;
            /** @enum {string} */
            sending: "on" | "off" | "unknown";
        };
        RecordLock: {
            acquired_at: string;
            expires_at: string;
            holder: components["schemas"]["LockHolder"];
            key: {
                [key: string]: string;
            };
            token: string;
        };
        RecordLocks: {
            locks: components["schemas"]["HeldLock"][];
            total: number;
        };
        Refresh: {
            refresh_token?: string;
        };
        Refusal: {
            detail: string;
        };
        RejectionCauses: {
            causes: components["schemas"]["RejectionCausesCause"][];
        };
        RejectionCausesCause: {
            amounts: components["schemas"]["HomeAmount"][];
            count: number;
            message: string;
            rule: string;
        };
        Replay: {
            /**
             * @default probe
             * @enum {string}
             */
            action: "probe" | "send" | "adopt";
            flowId?: string;
        };
        Replayed: {
            /** Format: uuid */
            id: string;
            replayed: boolean;
            /** @enum {boolean} */
            success: true;
        };
        Repository: {
            count: number;
            items: components["schemas"]["TableModel"][];
            /** @enum {string} */
            status: "success";
        };
        Resend: {
            /** @enum {boolean} */
            force?: true;
            reason?: string;
        };
        Resent: {
            /** @enum {boolean} */
            success: true;
            uuid: string;
        };
        Revoked: {
            /** @enum {boolean} */
            ok: true;
            sessions: number;
        };
        Role: {
            built_in: boolean;
            description: string;
            display_name: string;
            effective_permissions: string[];
            inherits_from: string[];
            members: number;
            name: string;
            permissions: string[];
        };
        RoleChange: {
            description?: string;
            display_name?: string;
            inherits_from?: string[];
            permissions?: string[];
        };
        RoleList: {
            limit: number;
            offset: number;
            roles: components["schemas"]["Role"][];
            templates: components["schemas"]["RoleTemplate"][];
            total: number;
        };
        RoleTemplate: {
            description: string;
            display_name: string;
            name: string;
            permissions: string[];
        };
        RuleComparison: {
            capped: boolean;
            documents: number;
            newlyFailing: components["schemas"]["RuleComparisonNewlyFailing"][];
            newlyInvalid: string[];
            newlyInvalidDocuments: number;
            newlyValid: string[];
            newlyValidDocuments: number;
            noLongerFailing: components["schemas"]["RuleComparisonNewlyFailing"][];
        };
        RuleComparisonNewlyFailing: {
            documents: number;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO";
            names: string[];
            rule: string;
        };
        RuleComparisonRequest: {
            folder?: string;
            from: string;
            limit?: number;
            /** Format: date */
            since?: string;
            to: string;
        };
        RuleInstall: {
            path: string;
        };
        RuleOverridden: {
            id: number;
            /** @enum {boolean} */
            success: true;
        };
        RuleOverride: {
            author: string;
            created: string;
            expires: string;
            inForce: boolean;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO" | "OFF";
            reason: string;
            rule: string;
        };
        RuleOverrideRequest: {
            expires: string;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO" | "OFF";
            reason: string;
            rule: string;
        };
        RuleSetActivated: {
            effectiveFrom: string;
            /** @enum {boolean} */
            success: true;
        };
        RuleSetActivation: {
            /** Format: date */
            from?: string;
            version: string;
        };
        RuleSetDetail: {
            appliesTo: components["schemas"]["RuleSetListSetAppliesTo"];
            id: string;
            judging: string | null;
            overrides: components["schemas"]["RuleOverride"][];
            rules: components["schemas"]["RuleSetDetailRule"][];
            title: components["schemas"]["RuleSetListSetTitle"];
            version: string;
            versions: components["schemas"]["RuleSetListSetVersion"][];
        };
        RuleSetDetailRule: {
            businessTerm?: string;
            flag?: string;
            id: string;
            /** @enum {string} */
            level: "FATAL" | "ERROR" | "WARNING" | "INFO";
            message: string;
            messageEn: string;
            messageFr: string;
        };
        RuleSetInstalled: {
            active: boolean;
            changed: boolean;
            effectiveFrom?: string;
            id: string;
            rules: number;
            /** @enum {boolean} */
            success: true;
            version: string;
        };
        RuleSetList: {
            broken: components["schemas"]["RuleSetListBroken"][];
            limit: number;
            offset: number;
            sets: components["schemas"]["RuleSetListSet"][];
            total: number;
        };
        RuleSetListBroken: {
            id: string;
            reason: string;
            version: string;
        };
        RuleSetListSet: {
            appliesTo: components["schemas"]["RuleSetListSetAppliesTo"];
            id: string;
            judging: string | null;
            overrides: components["schemas"]["RuleOverride"][];
            title: components["schemas"]["RuleSetListSetTitle"];
            versions: components["schemas"]["RuleSetListSetVersion"][];
        };
        RuleSetListSetAppliesTo: {
            countries?: string[];
            customizationId?: string[];
            roots: string[];
        };
        RuleSetListSetTitle: {
            en: string;
            fr: string;
        };
        RuleSetListSetVersion: {
            activatedBy: string | null;
            active: boolean;
            effectiveFrom: string | null;
            /** @enum {string} */
            from: "shipped" | "installed";
            installedAt: string | null;
            installedBy: string | null;
            origin: string;
            rules: number;
            severity: components["schemas"]["RuleSetListSetVersionSeverity"][];
            version: string;
        };
        RuleSetListSetVersionSeverity: {
            /** @enum {string} */
            direction?: "issued" | "received";
            /** @enum {string} */
            flag: "fatal" | "error" | "warning" | "info";
            /** Format: date */
            from?: string;
            rules: string;
            /** Format: date */
            until?: string;
        };
        Run: {
            corrected: components["schemas"]["RunSummaryCorrected"];
            counts: components["schemas"]["RunAnswerCounts"];
            createdAt: string;
            error?: string;
            file: string;
            finishedAt: string | null;
            incomplete: boolean;
            invoices: components["schemas"]["RunAnswerInvoice"][];
            jobNumber: string;
            /** Format: uuid */
            laterRun: string | null;
            logs: components["schemas"]["LogEntry"][];
            /** @enum {string} */
            mode: "SINGLE" | "BURST" | "UBL" | "BOTH" | "UBL_VALIDATE";
            preview: boolean;
            replaceMode: boolean;
            /** Format: uuid */
            runId: string;
            startedBy: string | null;
            /** @enum {string} */
            state: "splitting" | "processing" | "finished" | "failed" | "aborted";
            success: boolean | null;
            sums?: components["schemas"]["RunAnswerSum"][];
            template: string | null;
            total: number;
            unchangedFailed: number;
        };
        RunAnswer: {
            counts?: components["schemas"]["RunAnswerCounts"];
            error?: string;
            invoices?: components["schemas"]["RunAnswerInvoice"][];
            logs: components["schemas"]["LogEntry"][];
            /** Format: uuid */
            runId: string;
            success: boolean;
            sums?: components["schemas"]["RunAnswerSum"][];
        };
        RunAnswerCounts: {
            aborted?: number;
            blocked?: number;
            conflict?: number;
            failed?: number;
            new?: number;
            pending?: number;
            recorded?: number;
            rejected?: number;
            replaced?: number;
            retrying?: number;
            send_failed?: number;
            stored?: number;
            submitted?: number;
            unchanged?: number;
            undecided?: number;
            validated?: number;
        };
        RunAnswerInvoice: {
            amount: number | null;
            blocked: boolean;
            corrected: boolean;
            currency: string | null;
            customer: string | null;
            id: string | null;
            index: number;
            line: number;
            message: string | null;
            number: string | null;
            /** @enum {string} */
            state: "pending" | "recorded" | "submitted" | "retrying" | "blocked" | "send_failed" | "undecided" | "rejected" | "stored" | "validated" | "unchanged" | "new" | "replaced" | "conflict" | "failed" | "aborted";
            status: string | null;
            statusLabel: string | null;
        };
        RunAnswerSum: {
            amount: number;
            count: number;
            currency: string;
            /** @enum {string} */
            outcome: "pending" | "recorded" | "submitted" | "retrying" | "blocked" | "send_failed" | "undecided" | "rejected" | "stored" | "validated" | "unchanged" | "new" | "replaced" | "conflict" | "failed" | "aborted";
        };
        RunCauses: {
            causes: components["schemas"]["RunCausesCause"][];
        };
        RunCausesCause: {
            amounts: components["schemas"]["HomeAmount"][];
            count: number;
            field: string | null;
            invoices: components["schemas"]["RunCausesCauseInvoice"][];
            message: string | null;
            /** @enum {string} */
            outcome: "pending" | "recorded" | "submitted" | "retrying" | "blocked" | "send_failed" | "undecided" | "rejected" | "stored" | "validated" | "unchanged" | "new" | "replaced" | "conflict" | "failed" | "aborted";
            rule: string | null;
            source: string | null;
        };
        RunCausesCauseInvoice: {
            id: string | null;
            index: number;
            line: number;
            number: string | null;
            stored: boolean;
        };
        RunList: {
            next: string | null;
            runs: components["schemas"]["RunSummary"][];
            total: number;
            totalIsCapped: boolean;
        };
        RunRequest: {
            file: string;
            jobNumber?: string;
            /**
             * @default BURST
             * @enum {string}
             */
            mode: "SINGLE" | "BURST" | "UBL" | "BOTH" | "UBL_VALIDATE";
            only?: string;
            /** @default false */
            replaceMode: boolean;
            template: string;
            /** @enum {string} */
            treatment?: "B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY";
        };
        RunSummary: {
            corrected: components["schemas"]["RunSummaryCorrected"];
            counts: components["schemas"]["RunAnswerCounts"];
            createdAt: string;
            error?: string;
            file: string;
            finishedAt: string | null;
            incomplete: boolean;
            jobNumber: string;
            /** Format: uuid */
            laterRun: string | null;
            /** @enum {string} */
            mode: "SINGLE" | "BURST" | "UBL" | "BOTH" | "UBL_VALIDATE";
            preview: boolean;
            replaceMode: boolean;
            /** Format: uuid */
            runId: string;
            startedBy: string | null;
            /** @enum {string} */
            state: "splitting" | "processing" | "finished" | "failed" | "aborted";
            success: boolean | null;
            template: string | null;
            total: number;
            unchangedFailed: number;
        };
        RunSummaryCorrected: {
            aborted?: number;
            blocked?: number;
            conflict?: number;
            failed?: number;
            new?: number;
            pending?: number;
            recorded?: number;
            rejected?: number;
            replaced?: number;
            retrying?: number;
            send_failed?: number;
            stored?: number;
            submitted?: number;
            unchanged?: number;
            undecided?: number;
            validated?: number;
        };
        SampleData: {
            invoices: number;
            mayLoad: boolean;
        };
        SampleDataChange: {
            invoices: number;
        };
        SavedQueries: {
            queries: components["schemas"]["SavedQueriesQuery"][];
        };
        SavedQueriesQuery: {
            description: string;
            key: string;
            label: string;
            sql: string;
        };
        SavedQueriesUpdate: {
            queries: {
                [key: string]: string;
            };
        };
        SchemaDrift: {
            lacks: string[];
            more: string[];
        };
        SchemaError: {
            loc: string[];
            msg: string;
            type: string;
        };
        SchemaErrors: {
            detail: components["schemas"]["SchemaError"][];
        };
        SchemaRevision: {
            /** Format: date-time */
            REV_AT: string;
            REV_BY: string;
            REV_FINGERPRINT: string;
            REV_ID: number;
            REV_NAME: string;
            REV_PRODUCT: string;
            REV_VERSION: string;
            ROW_ID: number;
        };
        Screen: {
            actions: components["schemas"]["ScreenAction"][];
            app: string;
            description?: string;
            dialog?: components["schemas"]["ScreenDialog"];
            export?: components["schemas"]["ScreenExport"];
            grid: components["schemas"]["ScreenGrid"];
            id: string;
            key?: string[];
            label: string;
            language: string;
            lock?: components["schemas"]["ScreenLock"];
            lookups: {
                [key: string]: components["schemas"]["DictionaryLookup"];
            };
            refresh?: components["schemas"]["ScreenRefresh"];
            revision: string;
            source: components["schemas"]["ScreenSource"];
            version_field?: string;
        };
        ScreenAction: {
            confirm?: string;
            connector?: string;
            endpoint?: string;
            id: string;
            job?: string;
            label: string;
            /** @enum {string} */
            on: "row" | "selection" | "screen";
            params?: {
                [key: string]: unknown;
            };
            query?: string;
            writes?: boolean;
        };
        ScreenDialog: {
            create?: components["schemas"]["DialogOperation"];
            delete?: components["schemas"]["DialogOperation"];
            read?: components["schemas"]["DialogOperation"];
            tabs: components["schemas"]["DialogTab"][];
            update?: components["schemas"]["DialogOperation"];
            /** @enum {string} */
            width: "sm" | "md" | "lg" | "full";
        };
        ScreenExport: {
            /** @enum {string} */
            columns: "visible" | "all";
            max_rows?: number;
        };
        ScreenExportRequest: {
            columns?: string[];
            filters?: unknown;
            /** @default {} */
            params: {
                [key: string]: unknown;
            };
            sort?: string[];
        };
        ScreenGrid: {
            columns: components["schemas"]["GridColumn"][];
            filters: components["schemas"]["GridFilter"][];
            page_size?: number;
            /** @enum {string} */
            selection: "none" | "single" | "multiple";
            sort: string[];
            style: components["schemas"]["ScreenGridStyle"][];
        };
        ScreenGridStyle: {
            tone: string;
            when: components["schemas"]["ScreenGridStyleWhen"];
        };
        ScreenGridStyleWhen: {
            field: string;
            op: string;
            value?: unknown;
        };
        ScreenList: {
            language: string;
            revision: string;
            screens: components["schemas"]["ListedScreen"][];
            total: number;
        };
        ScreenLock: {
            renew: string;
            takeover: boolean;
            ttl: string;
        };
        ScreenRefresh: {
            on: string[];
        };
        ScreenSource: {
            allowed: boolean;
            connector: string;
            query: string;
        };
        ScreenTarget: {
            params?: {
                [key: string]: unknown;
            };
            screen: string;
        };
        SessionList: {
            limit: number;
            offset: number;
            sessions: components["schemas"]["SessionListSession"][];
            total: number;
        };
        SessionListSession: {
            address: string | null;
            /** Format: date-time */
            began_at: string;
            /** Format: date-time */
            ends_at: string;
            /** @enum {string} */
            method: "password" | "oidc" | "token";
        };
        SettingsApplied: {
            changed: string[];
            diff?: string;
            impact: components["schemas"]["SettingsImpact"];
            /** @enum {boolean} */
            ok: true;
            queries?: components["schemas"]["SettingsQueryFindings"];
            revision: number | null;
            warning?: string;
        };
        SettingsApply: {
            /** @default false */
            prune: boolean;
            sections: {
                [key: string]: string;
            };
        };
        SettingsImpact: {
            broken: components["schemas"]["SettingsProblem"][];
            codes_gone: string[];
            codes_new: string[];
            losses: components["schemas"]["SettingsLoss"][];
        };
        SettingsList: {
            sections: components["schemas"]["SettingsListed"][];
        };
        SettingsListed: {
            /** Format: date-time */
            at: string | null;
            by: string | null;
            in_force: boolean;
            /** @enum {string} */
            kind: "section" | "pack";
            name: string;
            revision: number | null;
        };
        SettingsLoss: {
            code: string;
            roles: string[];
            users: string[];
        };
        SettingsOutcome: {
            diff?: string;
            impact: components["schemas"]["SettingsImpact"];
            /** @enum {boolean} */
            ok: true;
            queries?: components["schemas"]["SettingsQueryFindings"];
            revision: number | null;
            warning?: string;
        };
        SettingsPlace: {
            column: number;
            line: number;
            path: string;
            section: string;
        };
        SettingsProblem: {
            column: number;
            line: number;
            message: string;
            path: string;
            section: string;
        };
        SettingsQueryFindings: {
            refused: components["schemas"]["SettingsProblem"][];
            unchanged: components["schemas"]["SettingsQueryFindingsUnchanged"];
            unchecked: string[];
        };
        SettingsQueryFindingsUnchanged: {
            refused: components["schemas"]["SettingsProblem"][];
            unchecked: string[];
        };
        SettingsRefusal: {
            detail: string;
            errors?: components["schemas"]["SettingsProblem"][];
        };
        SettingsReloaded: {
            /** @enum {boolean} */
            ok: true;
            reloaded: string[];
            revision: number;
        };
        SettingsRename: {
            from: string;
            /** @enum {string} */
            scope: "pool" | "connector" | "query" | "endpoint" | "screen" | "chart" | "dashboard" | "menu" | "job" | "lookup" | "app" | "column" | "label";
            to: string;
        };
        SettingsRenameOutcome: {
            diff?: string;
            impact: components["schemas"]["SettingsImpact"];
            /** @enum {boolean} */
            ok: true;
            places: components["schemas"]["SettingsPlace"][];
            queries?: components["schemas"]["SettingsQueryFindings"];
            revision: number | null;
            roles: components["schemas"]["SettingsRoleCode"][];
            warning?: string;
        };
        SettingsRevision: {
            /** Format: date-time */
            at: string;
            by: string;
            note: string;
            revision: number;
        };
        SettingsRevisionDetail: {
            /** Format: date-time */
            at: string;
            by: string;
            diff: string;
            note: string;
            revision: number;
        };
        SettingsRevisions: {
            has_more: boolean;
            revisions: components["schemas"]["SettingsRevision"][];
            total: number;
        };
        SettingsRoleCode: {
            from: string;
            role: string;
            to: string;
        };
        SettingsSection: {
            [key: string]: unknown;
        };
        SettingsSections: {
            sections: {
                [key: string]: string;
            };
        };
        SettingsText: {
            text: string;
        };
        SetupCurrent: {
            count: number;
            /** @enum {string} */
            database: "embedded" | "moved" | "server";
            drift: components["schemas"]["SchemaDrift"];
            fingerprint: string;
            items: components["schemas"]["MigrationRecord"][];
            latest: string;
            schema: string;
            /** @enum {string} */
            status: "success";
            version: string;
        };
        SetupInstalled: {
            count: number;
            items: components["schemas"]["CopiedTable"][];
            message: string;
            /** @enum {string} */
            status: "success";
        };
        SetupMigrated: {
            count: number;
            items: components["schemas"]["MigratedVersion"][];
            schema: string;
            /** @enum {string} */
            status: "success";
        };
        SetupRequest: {
            database: string;
            host: string;
            password: string;
            port: number;
            ssl?: components["schemas"]["SetupRequestSsl"];
            user: string;
        };
        SetupRequestSsl: {
            ca_file?: string;
            /** @enum {string} */
            mode: "disable" | "require" | "verify-ca" | "verify-full";
        };
        SetupRevised: {
            count: number;
            drift: components["schemas"]["SchemaDrift"];
            items: components["schemas"]["SchemaRevision"][];
            /** @enum {string} */
            status: "success";
        };
        ShownParam: {
            default?: unknown;
            description?: string;
            enum?: (string | number | boolean | null)[];
            input?: string;
            label: string;
            lookup?: string;
            max?: number | string;
            max_length?: number;
            min?: number | string;
            min_length?: number;
            pattern?: string;
            required?: boolean;
            type: string;
            values?: (string | number | boolean | null)[];
        };
        StatusHandling: {
            at: string | null;
            by: string | null;
            comment: string | null;
            isHandled: boolean;
        };
        StatusMessageList: {
            messages: components["schemas"]["StatusMessageListMessage"][];
            next: string | null;
            total: number;
            totalIsCapped: boolean;
        };
        StatusMessageListMessage: {
            amounts: components["schemas"]["PaidAmount"][];
            attempts: number;
            createdAt: string;
            createdBy: string;
            /** @enum {string} */
            direction: "issued" | "received";
            flowId: string | null;
            id: string;
            invoice: string;
            lastError: string | null;
            occurredAt: string;
            /** @enum {string} */
            state: "intent" | "sending" | "ambiguous" | "probing" | "parked" | "sent" | "taken" | "refused";
            status: string;
            ublNumber: string | null;
        };
        StatusMessages: {
            messages: components["schemas"]["StatusMessagesMessage"][];
        };
        StatusMessagesMessage: {
            amounts: components["schemas"]["PaidAmount"][];
            attempts: number;
            createdAt: string;
            createdBy: string;
            flowId: string | null;
            id: string;
            isStuck: boolean;
            lastError: string | null;
            occurredAt: string;
            /** @enum {string} */
            state: "intent" | "sending" | "ambiguous" | "probing" | "parked" | "sent" | "taken" | "refused";
            status: string;
        };
        StatusTold: {
            /** @enum {boolean} */
            success: true;
            uuid?: string;
        };
        StatusUpdate: {
            code: string;
            payment?: {
                amounts: components["schemas"]["RateAmount"][];
                /** @default false */
                confirm: boolean;
                statusAt?: string;
            };
            /** @default  */
            reason: string;
            /** @enum {string} */
            target: "db";
        } | {
            /** @default false */
            confirm: boolean;
            /**
             * @default {
             *       "amounts": []
             *     }
             */
            data: {
                action?: string;
                /** @default [] */
                amounts: components["schemas"]["RateAmount"][];
                comment?: string;
                reasonCode?: string;
            };
            /** @enum {string} */
            name: "IN_HAND" | "APPROVED" | "PARTIALLY_APPROVED" | "DISPUTED" | "SUSPENDED" | "COMPLETED" | "PAYMENT_SENT" | "PAYMENT_RECEIVED" | "REFUSED" | "CANCELLED";
            /** @default  */
            reason: string;
            statusAt?: string;
            /** @enum {string} */
            target: "pa";
        };
        StoppedTasks: {
            next: string | null;
            tasks: components["schemas"]["StoppedTasksTask"][];
            total: number;
            totalIsCapped: boolean;
        };
        StoppedTasksTask: {
            attempts: number;
            createdAt: string;
            evidence: components["schemas"]["StoppedTasksTaskEvidence"][];
            id: number;
            lastError: string | null;
            name: string;
            payload: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            queue: "processing" | "submission" | "polling" | "sftp" | "notification" | "jobs";
            /** @enum {string} */
            state: "dead" | "poisoned";
        };
        StoppedTasksTaskEvidence: {
            at: string;
            counts: boolean;
            holder: string | null;
            how: string;
        };
        StylesheetCompile: {
            content: string;
            path: string;
        };
        StylesheetCompiled: {
            compiles: boolean;
            fault: {
                file: string;
                isXml: boolean;
                line: number;
                message: string;
            } | null;
        };
        StylesheetRestore: {
            path: string;
            revision: number;
        };
        StylesheetResult: {
            failure: {
                element: string | null;
                file: string;
                line: number;
                message: string;
            } | null;
            findings: components["schemas"]["Finding"][];
            ubl: string | null;
            valid: boolean;
        };
        StylesheetRevision: {
            /** Format: date-time */
            at: string;
            by: string;
            doesNotCompile: string | null;
            isInUse: boolean;
            revision: number;
            size: number;
        };
        StylesheetRevisions: {
            revisions: components["schemas"]["StylesheetRevision"][];
        };
        StylesheetRevisionText: {
            content: string;
            diff: string;
        };
        StylesheetSource: {
            content: string;
            name: string;
        };
        StylesheetTrial: {
            content?: string;
            erp?: components["schemas"]["StylesheetTrialErp"];
            invoice?: string;
            path: string;
        };
        StylesheetTrialAnswer: {
            current: components["schemas"]["StylesheetResult"];
            diff: string | null;
            source: string | null;
            tried: components["schemas"]["StylesheetResult"];
        };
        StylesheetTrialErp: {
            content?: string;
            file?: string;
            /** @default 1 */
            position: number;
            template: string;
        };
        StylesheetUser: {
            isImport: boolean;
            template: string;
        };
        Submission: {
            amount: string | null;
            attemptList: components["schemas"]["SubmissionAttemptList"][];
            attempts: number;
            createdAt: string;
            currency: string | null;
            customer: string | null;
            flowId: string | null;
            generation: number;
            /** Format: uuid */
            id: string;
            invoice: string;
            invoiceStatus: string;
            lastError: string | null;
            nextAt: string | null;
            probes: number;
            /** @enum {string} */
            state: "intent" | "sending" | "ambiguous" | "probing" | "parked" | "accepted" | "rejected" | "duplicate" | "superseded";
            /** @enum {string|null} */
            taskState: "ready" | "running" | "dead" | "poisoned" | null;
            ublNumber: string | null;
            updatedAt: string;
        };
        SubmissionAttemptList: {
            detail: string | null;
            finishedAt: string | null;
            httpStatus: number | null;
            /** @enum {string} */
            kind: "send" | "probe";
            n: number;
            outcome: string | null;
            startedAt: string;
        };
        SubmissionList: {
            next: string | null;
            submissions: components["schemas"]["SubmissionListSubmission"][];
            total: number;
            totalIsCapped: boolean;
        };
        SubmissionListSubmission: {
            amount: string | null;
            attempts: number;
            createdAt: string;
            currency: string | null;
            customer: string | null;
            flowId: string | null;
            generation: number;
            /** Format: uuid */
            id: string;
            invoice: string;
            invoiceStatus: string;
            lastError: string | null;
            nextAt: string | null;
            probes: number;
            /** @enum {string} */
            state: "intent" | "sending" | "ambiguous" | "probing" | "parked" | "accepted" | "rejected" | "duplicate" | "superseded";
            /** @enum {string|null} */
            taskState: "ready" | "running" | "dead" | "poisoned" | null;
            ublNumber: string | null;
            updatedAt: string;
        };
        TableModel: {
            COLUMNS: components["schemas"]["ColumnModel"][];
            ROW_COUNT: number;
            ROW_ID: number;
            ROWS: {
                [key: string]: unknown;
            }[];
            TABLE_NAME: string;
            /** @enum {string} */
            WITHHELD: "Y" | "N";
        };
        Template: {
            name: string;
            /**
             * @description Properties by name; secrets are shown as `********`
             * @default {}
             * @example {
             *       "transform": "%APP_HOME%/R42565.xsl"
             *     }
             */
            properties: {
                [key: string]: string;
            };
            secrets?: string[];
            /** @enum {string} */
            type: "system" | "document" | "notification-rule" | "connector" | "company";
        };
        TemplateCopy: {
            source: string;
            target: string;
        };
        TemplateList: {
            limit: number;
            offset: number;
            templates: components["schemas"]["Template"][];
            total: number;
            unowned: string[];
        };
        TemplateProperty: {
            choiceLabels?: {
                [key: string]: {
                    en: string;
                    fr: string;
                };
            };
            choices?: string[];
            default?: string;
            help: components["schemas"]["TemplatePropertyHelp"];
            label: components["schemas"]["TemplatePropertyLabel"];
            max?: number;
            min?: number;
            name: string;
            otherwise?: components["schemas"]["TemplatePropertyOtherwise"];
            sentTo?: string[];
            type: string;
        };
        TemplatePropertyCatalogue: {
            name?: string;
            /** @enum {string} */
            others: "kept" | "refused";
            /** @description Known properties, in the order of a form */
            properties: components["schemas"]["TemplateProperty"][];
            /** @enum {string} */
            type: "system" | "document" | "notification-rule" | "connector" | "company";
        };
        TemplatePropertyCatalogues: {
            catalogues: components["schemas"]["TemplatePropertyCatalogue"][];
        };
        TemplatePropertyHelp: {
            en: string;
            fr: string;
        };
        TemplatePropertyLabel: {
            en: string;
            fr: string;
        };
        TemplatePropertyOtherwise: {
            en: string;
            fr: string;
        };
        TestSql: {
            /** @default {} */
            params: {
                [key: string]: unknown;
            };
            query: string | {
                [key: string]: unknown;
            };
        };
        ThemeRecord: {
            ROW_ID: number;
            TCL_DARK: string;
            TCL_KEY: string;
            TCL_LIGHT: string;
            THM_NAME: string;
        };
        ThemeRecords: {
            items: components["schemas"]["ThemeRecord"][];
            meta_data: components["schemas"]["PoolCheckedMetaData"][];
            pool: string;
            rowCount: number;
            /** @enum {string} */
            status: "success";
        };
        Token: {
            access_token: string;
            expires_in: number;
            message: string;
            /** @enum {string} */
            status: "success";
            /** @enum {string} */
            token_type: "bearer";
        };
        TokenPair: {
            access_token: string;
            expires_in: number;
            refresh_token: string;
            /** @enum {string} */
            token_type: "Bearer";
        };
        TokenRequest: {
            password: string | null;
            user: string;
        };
        TreatmentChoice: {
            /** @enum {string} */
            treatment: "B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY";
        };
        TreatmentChosen: {
            /** @enum {boolean} */
            success: true;
            uuid?: string;
        };
        Unanswered: {
            amount: string;
            currency: string;
            invoices: number;
            oldest: string | null;
            overdue: number;
        };
        Unhealthy: {
            build: string;
            /** @enum {boolean} */
            ok: false;
            version: string;
        };
        Uploaded: {
            file: string;
            replaced: boolean;
            /** @enum {boolean} */
            success: true;
        };
        User: {
            active: boolean;
            claims: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            /** Format: date-time */
            created_at: string;
            display_name: string;
            email: string | null;
            has_password: boolean;
            /** @enum {string|null} */
            language: "fr" | "en" | null;
            /** Format: date-time */
            last_sign_in: string | null;
            permissions: string[];
            roles: string[];
            username: string;
        };
        UserChange: {
            active?: boolean;
            claims?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            display_name?: string;
            /** Format: email */
            email?: string | null;
            /** @enum {string|null} */
            language?: "fr" | "en" | null;
            roles?: string[];
        };
        UserDetail: components["schemas"]["User"] & {
            contributions: components["schemas"]["Contribution"][];
        };
        UserList: {
            limit: number;
            offset: number;
            total: number;
            users: components["schemas"]["User"][];
        };
        UserRecord: {
            ROW_ID: number;
            /** @enum {string} */
            USR_ADMIN: "Y" | "N";
            USR_DASHBOARD: number;
            USR_EMAIL: string;
            USR_ID: string;
            USR_LANGUAGE: string;
            USR_MODE: string;
            USR_NAME: string;
            USR_PASSWORD: string;
            /** @enum {string} */
            USR_READONLY: "Y" | "N";
            /** @enum {string} */
            USR_STATUS: "Y" | "N";
            USR_THEME: string;
        };
        UserRecords: {
            items: components["schemas"]["UserRecord"][];
            /** @enum {string} */
            status: "success";
        };
        UsualRules: {
            created: string[];
            /** @enum {boolean} */
            success: true;
        };
        ValidateRequest: {
            file: string;
            /** @enum {string} */
            sourceType: "xml" | "ubl";
            template?: string;
        };
        VatBefore: {
            balance: string;
            collected: string;
            deductible: string;
            from: string;
            to: string;
        };
        VatForeignLine: {
            base: string;
            currency: string;
            invoices: number;
            isInTotal: boolean;
            statedInvoices: number;
            statedVat: string;
            /** @enum {string} */
            treatment: "B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY" | "B2GINT" | "B2GOUTOFSCOPE" | "UNDEFINED" | "UNDECIDED";
            vat: string;
        };
        VatLine: {
            base: string;
            category: string;
            invoices: number;
            isInTotal: boolean;
            rate: string;
            /** @enum {string} */
            treatment: "B2B" | "B2BINT" | "B2C" | "B2CINT" | "B2G" | "OUTOFSCOPE" | "ARCHIVEONLY" | "B2GINT" | "B2GOUTOFSCOPE" | "UNDEFINED" | "UNDECIDED";
            vat: string;
            vatOnReceipt: string;
        };
        VatMonth: {
            balance: string;
            month: string;
            purchases: components["schemas"]["VatSide"];
            sales: components["schemas"]["VatSide"];
        };
        VatReport: {
            balance: string;
            before: components["schemas"]["VatBefore"];
            computedAt: string;
            currency: string;
            from: string;
            months: components["schemas"]["VatMonth"][];
            purchases: components["schemas"]["VatSide"];
            sales: components["schemas"]["VatSide"];
            to: string;
            uncounted: components["schemas"]["VatUncounted"][];
        };
        VatSide: {
            base: string;
            foreign: components["schemas"]["VatForeignLine"][];
            lines: components["schemas"]["VatLine"][];
            vat: string;
            vatOnReceipt: string;
        };
        VatUncounted: {
            base: string;
            currency: string;
            invoices: number;
            /** @enum {string} */
            role: "seller" | "buyer";
            status: string;
            statusLabel: string;
            statusLabelEn: string;
            vat: string;
        };
        WaitingWork: {
            amounts: components["schemas"]["HomeAmount"][];
            connections?: components["schemas"]["WaitingWorkConnection"][];
            count: number;
            countIsCapped: boolean;
            /** @enum {string} */
            kind: "connection-failed" | "submission-stuck" | "send-failed" | "rejected-by-rules" | "rejected-by-platform" | "portal-refused" | "inadmissible" | "not-routed" | "not-transmitted" | "treatment-undecided" | "refused" | "disputed" | "suspended" | "status-not-accepted" | "status-refused" | "filed-differently" | "content-differs" | "unanswered" | "overdue" | "quarantined" | "email-given-up" | "task-stopped";
            oldest: string | null;
        };
        WaitingWorkConnection: {
            /** @enum {string} */
            kind: "pa" | "directory" | "mail" | "sftp" | "pool" | "oidc" | "model";
            name: string;
        };
        WebhookRegistered: {
            /** @enum {boolean} */
            success: true;
            webhookId: string;
        };
        WebhookRegistration: {
            /** Format: uri */
            callbackUrl: string;
        };
        Webhooks: {
            limit: number;
            offset: number;
            total: number;
            webhooks: components["schemas"]["WebhooksWebhook"][];
        };
        WebhooksWebhook: {
            callbackUrl: string;
            createdAt: string;
            lastCallAt: string | null;
            ofOtherPa: boolean;
            webhookId: string;
        };
        WhatIf: {
            roles: string[];
            user?: string;
        };
        XmlDownload: {
            job?: string;
            language?: string;
            output: string;
            report: string;
            version?: string;
        };
        XmlExtraction: {
            dct: string;
            doc: string;
            kco: string;
            outputDir: string;
        };
        XslInstall: {
            targetDir: string;
        };
        XslInstalled: {
            installed: string[];
            kept: string[];
            /** @enum {boolean} */
            success: true;
            targetDir: string;
        };
    };
    responses: never;
    parameters: {
        AcceptLanguage: string;
        IdempotencyKey: string;
        Language: "fr" | "en";
        Prefer: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    console: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                actor?: string;
                actorPart?: string[];
                after?: string;
                event?: string;
                from?: string;
                orActor?: string[];
                orTarget?: string[];
                page?: number;
                pageSize?: number;
                signIns?: "true" | "false";
                target?: string;
                targetPart?: string[];
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditChain"];
                };
            };
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsList"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsSection"];
                };
            };
        };
    };
    replaceSettings: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsSection"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    getSettingsText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/yaml": string;
                };
            };
        };
    };
    replaceSettingsText: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettingsText"];
                "text/yaml": string;
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    listSettingsRevisions: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsRevisions"];
                };
            };
        };
    };
    getSettingsRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                revision: number;
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsRevisionDetail"];
                };
            };
        };
    };
    restoreSettingsRevision: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                revision: number;
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    getSettingsSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                section: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonSchema"];
                };
            };
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointTest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointAnswer"];
                };
            };
        };
    };
    applySettings: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsApply"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsApplied"];
                };
            };
        };
    };
    testSql: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSql"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryRows"] | components["schemas"]["QueryWritten"];
                };
            };
        };
    };
    exportSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsSections"];
                };
            };
        };
    };
    renameSetting: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsRename"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsRenameOutcome"];
                };
            };
        };
    };
    getLanguagePack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsSection"];
                };
            };
        };
    };
    replaceLanguagePack: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsSection"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    getLanguagePackText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/yaml": string;
                };
            };
        };
    };
    replaceLanguagePackText: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettingsText"];
                "text/yaml": string;
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    listLanguagePackRevisions: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsRevisions"];
                };
            };
        };
    };
    getLanguagePackRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsRevisionDetail"];
                };
            };
        };
    };
    restoreLanguagePackRevision: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                pack: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOutcome"];
                };
            };
        };
    };
    getLanguagePackSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonSchema"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
        };
    };
    runJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JobRunStart"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunStarted"];
                };
            };
        };
    };
    previewCron: {
        parameters: {
            query: {
                expression: string;
                from?: string;
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CronPreview"];
                };
            };
        };
    };
    listJobRuns: {
        parameters: {
            query?: {
                from?: string;
                job?: string;
                limit?: number;
                offset?: number;
                status?: "running" | "succeeded" | "failed" | "aborted";
                to?: string;
                trigger?: "schedule" | "manual" | "replay" | "job";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunList"];
                };
            };
        };
    };
    changeJobRuns: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRunsChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunsChanged"];
                };
            };
        };
    };
    getJobRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRun"];
                };
            };
        };
    };
    abortJobRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunStarted"];
                };
            };
        };
    };
    readJobFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
        };
    };
    readJobLog: {
        parameters: {
            query?: {
                after?: number;
                follow?: "true" | "false";
                limit?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobLog"];
                    "text/event-stream": string;
                };
            };
        };
    };
    replayJobRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JobRunReplay"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunStarted"];
                };
            };
        };
    };
    reloadLicence: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
        };
    };
    explainPermission: {
        parameters: {
            query: {
                code: string;
                user: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionExplained"];
                };
            };
        };
    };
    previewRoles: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhatIf"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
        };
    };
    reloadSettings: {
        parameters: {
            query?: {
                force?: "true" | "false";
                scope?: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsReloaded"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleList"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                active?: "true" | "false";
                limit?: number;
                offset?: number;
                role?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetail"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetail"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetail"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invited"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationRevoked"];
                };
            };
        };
    };
    setUserPassword: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    revokeUserSessions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revoked"];
                };
            };
        };
    };
    listUserSessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    sendTurn: {
        parameters: {
            query?: {
                stream?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiTurn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiAnswer"];
                    "text/event-stream": string;
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiConversations"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiConversation"];
                };
            };
        };
    };
    renameConversation: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiConversationTitle"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiConversation"];
                };
            };
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    shareConversation: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiShareRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiShareLink"];
                };
            };
        };
    };
    unshareConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiModels"];
                };
            };
        };
    };
    openSharedConversation: {
        parameters: {
            query?: never;
            header: {
                "x-share-token": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiSharedConversation"];
                };
            };
        };
    };
    listAiTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiTools"];
                };
            };
        };
    };
    staticReferenceOfDatabaseFamily: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Chat"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    createDatabaseToken: {
        parameters: {
            query?: {
                mode?: "framework" | "session";
                pool?: string;
                type?: "database" | "oidc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    getDatabaseUser: {
        parameters: {
            query: {
                mode?: "framework" | "session";
                pool?: string;
                user: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecords"];
                };
            };
        };
    };
    getCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "statuses" | "reasons" | "attention" | "actions" | "document-types" | "business-processes" | "vat-categories" | "units";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalogue"];
                };
            };
        };
    };
    listCharts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartList"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getChart: {
        parameters: {
            query?: {
                include_data?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chart"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readChart: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChartParams"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartData"];
                };
            };
        };
    };
    planChart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartDrawing"];
                };
            };
        };
    };
    drawChart: {
        parameters: {
            query?: {
                height?: number;
                width?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkDirectory: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectorySubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectoryAnswer"];
                };
            };
        };
    };
    getConfigTemplate: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    replaceConfigTemplate: {
        parameters: {
            query: {
                dry_run?: "true" | "false";
                name: string;
            };
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Template"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    createConfigTemplate: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Template"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    deleteConfigTemplate: {
        parameters: {
            query: {
                name: string;
            };
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listTemplateProperties: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePropertyCatalogues"];
                };
            };
        };
    };
    copyConfigTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateCopy"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listConfigTemplates: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                type?: ("system" | "document" | "notification-rule" | "connector" | "company")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connections"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                kind: "pa" | "directory" | "mail" | "sftp" | "pool" | "oidc" | "model";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionTestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
        };
    };
    getConnector: {
        parameters: {
            query?: {
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connectors"] | components["schemas"]["ConnectorEndpoints"];
                };
            };
        };
    };
    callConnector: {
        parameters: {
            query: {
                endpoint: string;
                name: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectorCall"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorAnswer"];
                };
            };
        };
    };
    showConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connector"];
                };
            };
        };
    };
    listDashboards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardList"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                include_data?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    auditTable: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                table: string;
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditedValues"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audited"];
                };
            };
        };
    };
    checkPool: {
        parameters: {
            query?: {
                framework_pool?: "default";
                target_pool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolChecked"];
                };
            };
        };
    };
    closePool: {
        parameters: {
            query?: {
                pool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolTold"];
                };
            };
        };
    };
    openPool: {
        parameters: {
            query?: {
                framework_pool?: "default";
                target_pool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolTold"];
                };
            };
        };
    };
    listPools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolList"];
                };
            };
        };
    };
    readDatabaseQuery: {
        parameters: {
            query: {
                language?: string;
                limit?: number;
                mode?: "framework" | "session";
                offset?: number;
                override_pool?: string;
                params?: string;
                pool?: "default";
                q?: string;
                query: string;
                querytype?: "table" | "columns";
                source?: "framework";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseRows"];
                };
            };
        };
    };
    updateDatabaseRow: {
        parameters: {
            query: {
                mode?: "framework" | "session";
                override_pool?: string;
                pool?: "default";
                query: string;
                querytype?: "table" | "columns";
                source?: "framework";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatabaseRow"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseWritten"];
                };
            };
        };
    };
    insertDatabaseRow: {
        parameters: {
            query: {
                mode?: "framework" | "session";
                override_pool?: string;
                pool?: "default";
                query: string;
                querytype?: "table" | "columns";
                source?: "framework";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatabaseRow"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseWritten"];
                };
            };
        };
    };
    deleteDatabaseRow: {
        parameters: {
            query: {
                mode?: "framework" | "session";
                override_pool?: string;
                pool?: "default";
                query: string;
                querytype?: "table" | "columns";
                source?: "framework";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatabaseRow"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseWritten"];
                };
            };
        };
    };
    getDictionary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dictionary"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLookup: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number | null;
                term?: string;
                value?: string[];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookupPage"];
                };
            };
        };
    };
    downloadSpoolFile: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["XmlDownload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Downloaded"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Downloaded"];
                };
            };
        };
    };
    getDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                downloadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Download"];
                };
            };
        };
    };
    sendEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Email"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSent"];
                };
            };
        };
    };
    exportRepository: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repository"];
                };
            };
        };
    };
    extractReport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BipExtraction"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Extracted"];
                };
            };
        };
    };
    extractInvoiceXml: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["XmlExtraction"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Extracted"];
                };
            };
        };
    };
    getFinanceOverview: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinanceOverview"];
                };
            };
        };
    };
    getVatReport: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VatReport"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationRecords"];
                };
            };
        };
    };
    encryptText: {
        parameters: {
            query?: {
                plain_text?: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EncryptRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Encrypted"];
                };
            };
        };
    };
    listModules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModuleRecords"];
                };
            };
        };
    };
    listThemes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThemeRecords"];
                };
            };
        };
    };
    browseFolder: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileListing"];
                };
            };
        };
    };
    copyFile: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileCopy"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileWritten"];
                };
            };
        };
    };
    readFile: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileContent"];
                };
            };
        };
    };
    writeFile: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileWrite"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileWritten"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Home"];
                };
            };
        };
    };
    getHomeFigures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HomeFigures"];
                };
            };
        };
    };
    callEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                connector: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointParams"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointAnswer"];
                };
            };
        };
    };
    listLanguageRevisions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackRevisions"];
                };
            };
        };
    };
    getLanguage: {
        parameters: {
            query?: {
                missing?: "true" | "false";
            };
            header?: never;
            path: {
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LanguagePackTexts"] | components["schemas"]["MissingTexts"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    importFromPa: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Polled"];
                };
            };
        };
    };
    listInbox: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                pageSize?: number;
                unread?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
        };
    };
    markMessageRead: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    markAllMessagesRead: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    searchCompanies: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanySearch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Companies"];
                };
            };
        };
    };
    listIntegrationErrors: {
        parameters: {
            query?: {
                after?: string;
                dateFrom?: string;
                dateTo?: string;
                dct?: string;
                file?: string;
                kco?: string;
                level?: "FATAL" | "ERROR" | "WARNING" | "INFO";
                page?: number;
                pageSize?: number;
                run?: string;
                search?: string;
                sortBy?: "id" | "doc" | "dct" | "kco" | "seqn" | "level" | "source" | "rule" | "message" | "createdAt";
                sortDir?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationErrors"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                after?: string;
                attention?: string;
                cause?: string;
                counted?: "true" | "false";
                currency?: string;
                customer?: string;
                dateFrom?: string;
                dateTo?: string;
                dct?: string;
                direction?: "issued" | "received";
                dueFrom?: string;
                dueTo?: string;
                firstAccepted?: "true" | "false";
                kco?: string;
                open?: "true" | "false";
                page?: number;
                pageSize?: number;
                payable?: "true" | "false";
                recordedFrom?: string;
                role?: "seller" | "buyer";
                search?: string;
                sortBy?: "fedoc" | "ublNumber" | "issueDate" | "dueDate" | "totalTTC" | "customerName" | "supplierName" | "status" | "createdAt" | "fedct" | "kco" | "invoiceType" | "totalHT" | "amountDue" | "customerRef" | "currency" | "statusLabel" | "statusLabelEn";
                sortDir?: "asc" | "desc";
                status?: string;
                supplier?: string;
                treatment?: string;
                ublNumber?: string;
                unanswered?: "true" | "false";
                vat?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    listInvoiceActions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedActions"];
                };
            };
        };
    };
    getInvoiceAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                position: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    handleInvoiceAttention: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttentionHandled"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    reopenInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    getInvoiceDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceDetails"];
                };
            };
        };
    };
    getInvoiceErpPiece: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
        };
    };
    getInvoiceErrors: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceFindings"];
                };
            };
        };
    };
    exportEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Evidence-Head": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    getInvoiceFacturX: {
        parameters: {
            query?: {
                lang?: "fr" | "en";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoiceLifecycle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lifecycle"];
                };
            };
        };
    };
    getInvoiceLines: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceLines"];
                };
            };
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: {
                lang?: "fr" | "en";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoiceReadableView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    resendInvoice: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Resend"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resent"];
                };
            };
        };
    };
    setInvoiceStatus: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusTold"];
                };
            };
        };
    };
    listStatusMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusMessages"];
                };
            };
        };
    };
    chooseInvoiceTreatment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TreatmentChoice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreatmentChosen"];
                };
            };
        };
    };
    getInvoiceVat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceVat"];
                };
            };
        };
    };
    getInvoiceXml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
        };
    };
    downloadInvoices: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDownload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    previewBulkActions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPreview"];
                };
            };
        };
    };
    resendInvoices: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkResend"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
        };
    };
    setBulkStatus: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
        };
    };
    listRejectionCauses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectionCauses"];
                };
            };
        };
    };
    exportInvoices: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceExportRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Export-Max-Rows"?: number;
                    "X-Export-Truncated"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    getInvoiceStats: {
        parameters: {
            query?: {
                dateFrom?: string;
                dateTo?: string;
                recordedFrom?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceStats"];
                };
            };
        };
    };
    getInvoiceTotals: {
        parameters: {
            query?: {
                attention?: string;
                cause?: string;
                counted?: "true" | "false";
                currency?: string;
                customer?: string;
                dateFrom?: string;
                dateTo?: string;
                dct?: string;
                direction?: "issued" | "received";
                dueFrom?: string;
                dueTo?: string;
                firstAccepted?: "true" | "false";
                kco?: string;
                open?: "true" | "false";
                payable?: "true" | "false";
                recordedFrom?: string;
                role?: "seller" | "buyer";
                search?: string;
                status?: string;
                supplier?: string;
                treatment?: string;
                ublNumber?: string;
                unanswered?: "true" | "false";
                vat?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceTotals"];
                };
            };
        };
    };
    getLicence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                ticket?: string;
                topics?: string;
            };
            header?: {
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    createLiveTicket: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveTicket"];
                };
            };
        };
    };
    listLogs: {
        parameters: {
            query?: {
                event?: string;
                from?: string;
                level?: ("DEBUG" | "INFO" | "WARN" | "ERROR")[];
                limit?: number;
                offset?: number;
                search?: string;
                searchEvents?: string[];
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogEntries"];
                };
            };
        };
    };
    writeLogFiles: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFiles"];
                };
            };
        };
    };
    getLogDetails: {
        parameters: {
            query: {
                id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogDetails"];
                };
            };
        };
    };
    listMenus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Menus"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getMenu: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppMenu"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                after?: string;
                channel?: "portal" | "email" | "action" | "dispatch";
                id?: string;
                page?: number;
                pageSize?: number;
                progress?: "pending" | "paused" | "retried" | "sent" | "filed" | "failed" | "dead";
                rule?: string;
                state?: "pending" | "sent" | "failed" | "dead";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDeliveries"];
                };
            };
        };
    };
    dismissDelivery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    replayNotificationRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationReplay"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationReplayReport"];
                };
            };
        };
    };
    testNotificationRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationTest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTestReport"];
                };
            };
        };
    };
    createUsualRules: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsualRules"];
                };
            };
        };
    };
    getPaHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaHealth"];
                };
            };
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                after?: string;
                kind?: "unreadable" | "failed" | "waiting";
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quarantine"];
                };
            };
        };
    };
    getQuarantinedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    replayQuarantinedFlow: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                flowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Polled"];
                };
            };
        };
    };
    receiveWebhookCall: {
        parameters: {
            query?: never;
            header?: {
                "afnor-signature"?: string;
                "afnor-signature-timestamp"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRegistration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRegistered"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listProcessable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Processable"];
                };
            };
        };
    };
    processFolder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderProcess"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderProcessed"];
                };
            };
        };
    };
    listQueries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedQueries"];
                };
            };
        };
    };
    saveQueries: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedQueriesUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    retrieveStatuses: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Polled"];
                };
            };
        };
    };
    listRuleSets: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetList"];
                };
            };
        };
    };
    getRuleSet: {
        parameters: {
            query?: {
                version?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetDetail"];
                };
            };
        };
    };
    activateRuleSet: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleSetActivation"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetActivated"];
                };
            };
        };
    };
    overrideRule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleOverrideRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleOverridden"];
                };
            };
        };
    };
    removeRuleOverride: {
        parameters: {
            query: {
                rule: string;
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    compareRuleSets: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleComparisonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleComparison"];
                };
            };
        };
    };
    installRuleSet: {
        parameters: {
            query?: {
                active?: "true" | "false";
                customizationId?: string[];
                effectiveFrom?: string;
                entry?: string;
                id?: string;
                roots?: string[];
                version?: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RuleInstall"];
                "application/octet-stream": string;
                "application/zip": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetInstalled"];
                };
            };
        };
    };
    startRun: {
        parameters: {
            query?: {
                preview?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                after?: string;
                dateFrom?: string;
                dateTo?: string;
                failed?: "true" | "false";
                file?: string;
                page?: number;
                pageSize?: number;
                preview?: "true" | "false";
                sortBy?: "createdAt";
                sortDir?: "asc" | "desc";
                state?: ("splitting" | "processing" | "finished" | "failed" | "aborted")[];
                template?: string;
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                failedFirst?: "true" | "false";
                onlyFailed?: "true" | "false";
                outcome?: ("pending" | "recorded" | "submitted" | "retrying" | "blocked" | "send_failed" | "undecided" | "rejected" | "stored" | "validated" | "unchanged" | "new" | "replaced" | "conflict" | "failed" | "aborted")[];
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    abortRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    listRunCauses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunCauses"];
                };
            };
        };
    };
    listScreens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScreenList"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listScreensOfApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScreenList"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getScreen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app: string;
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screen"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportScreen: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                app: string;
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScreenExportRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Export-Max-Rows"?: number;
                    "X-Export-Truncated"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    lockRecord: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                app: string;
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LockRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordLock"];
                };
            };
        };
    };
    unlockRecord: {
        parameters: {
            query?: {
                key?: string;
                token?: string;
            };
            header?: never;
            path: {
                app: string;
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LockRelease"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LockReleased"];
                };
            };
        };
    };
    listRecordLocks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                app: string;
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordLocks"];
                };
            };
        };
    };
    backUpDatabase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getChecklist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checklist"];
                };
            };
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupCurrent"];
                };
            };
        };
    };
    examineInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Examination"];
                };
            };
        };
    };
    downgradeSchema: {
        parameters: {
            query?: {
                force?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupMigrated"];
                };
            };
        };
    };
    installDatabase: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupInstalled"];
                };
            };
        };
    };
    recordSchema: {
        parameters: {
            query?: {
                name?: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupRevised"];
                };
            };
        };
    };
    loadSampleData: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleDataChange"];
                };
            };
        };
    };
    removeSampleData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleDataChange"];
                };
            };
        };
    };
    upgradeSchema: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupMigrated"];
                };
            };
        };
    };
    readQuery: {
        parameters: {
            query?: {
                after?: string;
                count?: string;
                limit?: string;
                offset?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path: {
                connector: string;
                query: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryRows"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postQuery: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                connector: string;
                query: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryCall"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryRows"] | components["schemas"]["QueryWritten"];
                };
            };
        };
    };
    writeQuery: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                connector: string;
                query: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryCall"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryWritten"];
                };
            };
        };
    };
    introspectPool: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                pool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolSchema"];
                };
            };
        };
    };
    listStuckStatuses: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusMessageList"];
                };
            };
        };
    };
    replayStatusMessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                after?: string;
                invoice?: string;
                page?: number;
                pageSize?: number;
                state?: "intent" | "sending" | "ambiguous" | "probing" | "parked" | "accepted" | "rejected" | "duplicate" | "superseded" | "open" | "stuck";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionList"];
                };
            };
        };
    };
    getSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
        };
    };
    replaySubmission: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
        };
    };
    listStoppedTasks: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                pageSize?: number;
                state?: "dead" | "poisoned";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedTasks"];
                };
            };
        };
    };
    replayTask: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                type?: ("system" | "document" | "notification-rule" | "connector" | "company")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Template"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    copyTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                from: string;
                to: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    replaceTemplate: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Template"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    interactiveReferenceOfDatabaseFamily: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query: {
                existing?: "replace" | "keep";
                filename: string;
                purpose?: "import" | "preview";
                template: string;
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uploaded"];
                };
            };
        };
    };
    validateFile: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                    "application/xml": string;
                    "text/html": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
        };
    };
    validateDocument: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
                "application/pdf": string;
                "application/xml": string;
                "text/xml": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVerdict"];
                };
            };
        };
    };
    listStylesheets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BundledStylesheets"];
                };
            };
        };
    };
    deleteStylesheet: {
        parameters: {
            query: {
                path: string;
            };
            header?: {
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    compileStylesheet: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StylesheetCompile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StylesheetCompiled"];
                };
            };
        };
    };
    installStylesheets: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["XslInstall"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["XslInstalled"];
                };
            };
        };
    };
    listOwnStylesheets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnStylesheets"];
                };
            };
        };
    };
    restoreStylesheet: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "if-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StylesheetRestore"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileWritten"];
                };
            };
        };
    };
    readStylesheetRevision: {
        parameters: {
            query: {
                path: string;
                revision: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StylesheetRevisionText"];
                };
            };
        };
    };
    listStylesheetRevisions: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StylesheetRevisions"];
                };
            };
        };
    };
    readStylesheet: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StylesheetSource"];
                };
            };
        };
    };
    tryStylesheet: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StylesheetTrial"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StylesheetTrialAnswer"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptedInvitation"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationAccepted"];
                };
            };
        };
    };
    checkInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToCheck"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationChecked"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: {
                everywhere?: "true" | "false";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUser"];
                };
            };
        };
    };
    completeOidcSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginOidcSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
        };
    };
    consoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    interactiveReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    referenceAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendMcp: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpMessage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpMessage"];
                    "text/event-stream": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    openApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    staticReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
}
