/** Errors of a call itself, independent of its purpose. */
export const CALLS: Readonly<Record<string, string>> = {
  "A bearer token is needed": "Un jeton d'accès (Bearer) est nécessaire",
  "A page of another site sent this call": "Cet appel vient d'une page d'un autre site",
  "Already done: the call with Idempotency-Key {1} was answered with {2}":
    "Déjà fait : l'appel avec Idempotency-Key {1} a reçu la réponse {2}",
  "The calls of {1} with Idempotency-Key exceed {2} bytes of stored answers today: try again tomorrow (UTC)":
    "Les appels de {1} avec Idempotency-Key dépassent aujourd'hui {2} octets de réponses conservées : réessayez demain (UTC)",
  "The calls of {1} that write exceed {2} bytes today: try again tomorrow (UTC), or raise UPLOAD_DAILY_MB":
    "Les appels de {1} qui écrivent dépassent aujourd'hui {2} octets : réessayez demain (UTC), ou augmentez UPLOAD_DAILY_MB",
  "Idempotency-Key has more than 255 characters": "Idempotency-Key dépasse 255 caractères",
  "Idempotency-Key {1} was used with another body":
    "Idempotency-Key {1} a déjà servi avec un autre corps de requête",
  "Internal error (request {1})": "Erreur interne (requête {1})",
  "The body broke off": "Le corps de la requête s'est interrompu",
  "The body comes too slowly: {1} bytes so far":
    "Le corps de la requête arrive trop lentement : {1} octets reçus",
  "The body has more than {1} bytes, which are allowed here":
    "Le corps de la requête dépasse les {1} octets admis ici",
  "The body is empty: a zip, or JSON with a path, is expected":
    "Le corps de la requête est vide : un zip, ou du JSON avec un chemin, est attendu",
  "The body is of type {1}; {2} is expected":
    "Le corps de la requête est de type {1} ; {2} est attendu",
  "The call with Idempotency-Key {1} is still running":
    "L'appel avec Idempotency-Key {1} est encore en cours",
  "The database cannot be reached": "La base de données est injoignable",
  "{1} ({2}); check the server and the port": "{1} ({2}) ; vérifiez le serveur et le port",
  "The ID token was not accepted": "Le jeton d'identité n'a pas été accepté",
  "The groups could not be read": "Les groupes n'ont pas pu être lus",
  "The identity provider cannot be reached": "Le fournisseur d'identité est injoignable",
  "The identity provider cannot be used": "Le fournisseur d'identité n'est pas utilisable",
  "The sign-in was not accepted": "La connexion n'a pas été acceptée",
  "no answer at {1} ({2}); check OIDC_ISSUER":
    "pas de réponse à l'adresse {1} ({2}) ; vérifiez OIDC_ISSUER",
  "The database server answered but refuses the account":
    "Le serveur de base de données a répondu, mais refuse le compte",
  "The database server answered but does not have this database":
    "Le serveur de base de données a répondu, mais n'a pas cette base",
  "The database is read-only: its disk is full, it is a replica, or it is moving to a server. After a move, restart the product":
    "La base de données est en lecture seule : son disque est plein, c'est une copie, ou elle migre vers un serveur. Après la migration, redémarrez le produit",
  "The permission {1} is missing": "La permission {1} manque",
  "There is no asset {1}": "Il n'existe pas de ressource {1}",
  "The console cannot be built; the log says why":
    "La console ne peut pas être construite ; le journal dit pourquoi",
  "There is nothing at this path, which {1}": "Il n'y a rien à ce chemin, qui {1}",
  "There is nothing named {1}": "Rien ne porte le nom {1}",
  "Too many bodies are being received at once": "Trop de corps de requête sont reçus en même temps",
  "Without sign-in the product answers as localhost only, not as {1}":
    "Sans authentification, le produit ne répond qu'au nom de localhost, pas de {1}",
  "after: belongs to the order {1} {2}, not {3} {4}":
    "after : appartient au tri {1} {2}, pas à {3} {4}",
  "after: cannot be combined with page": "after : ne se combine pas avec page",
  "after: is not a cursor of this list; use the value of next":
    "after : n'est pas un curseur de cette liste ; utilisez la valeur de next",
  "from must be before to": "from doit précéder to",
  "{1} {2} does not exist": "{1} {2} n'existe pas",
  "{1}: {2}": "{1} : {2}",
  "{1}: {2} {3}": "{1} : {2} {3}",
  "{1}: {2}: {3}": "{1} : {2} : {3}",
  "{1}: {2}{3}": "{1} : {2}{3}",
  "{1}: {2} a minute are allowed to {3}; wait {4} s":
    "{1} : {2} par minute sont permis à {3} ; attendez {4} s",
};
