/** Introduction of the API document, in Markdown. */
export const INTRODUCTION = `
Passerelle is an e-invoicing gateway. ERP exports become validated UBL invoices, which are submitted to an
accredited platform (PA) and followed to the end of their lifecycle.

## Getting started

**1. Get a token.** Send the username and password of an account. The access token is valid for ten minutes.

    curl -X POST $URL/auth/login -H 'Content-Type: application/json' \\
      -d '{"username": "mdurand", "password": "correct horse battery staple"}'

**2. Make the first call.** The answer contains your roles and permissions.

    curl $URL/auth/me -H "Authorization: Bearer $TOKEN"

**3. Upload an ERP export.** The answer contains the path of the file.

    curl -X POST "$URL/api/upload?template=R42565&filename=R42565.xml" -H "Authorization: Bearer $TOKEN" \\
      -H 'Content-Type: application/octet-stream' --data-binary @R42565.xml

**4. Process the file.** With \`Prefer: respond-async\` the answer is 202 and contains \`runId\`.

    curl -X POST $URL/api/run -H "Authorization: Bearer $TOKEN" -H 'Prefer: respond-async' \\
      -H 'Content-Type: application/json' -d '{"template": "R42565", "file": "input/R42565.xml"}'

**5. Follow the run** until \`state\` is \`finished\`. Each invoice has an outcome and a status.

    curl $URL/api/runs/$RUN_ID -H "Authorization: Bearer $TOKEN"

## Conventions

- \`x-permission\` of an operation is the permission that the caller needs.
- A POST with an \`Idempotency-Key\` can be repeated without a second effect.
- \`ETag\` and \`If-Match\` protect changes against concurrent ones.
- Errors contain a message in the caller's language; see the schemas of each answer.
`.trim();
