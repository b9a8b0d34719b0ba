/** Problems of given values: phrases inside other sentences, and the schemas' own words. */
export const PROBLEMS: Readonly<Record<string, string>> = {
  "expected yyyy-MM-ddTHH:mm:ss without a zone":
    "la forme yyyy-MM-ddTHH:mm:ss, sans fuseau, est attendue",
  "letters, digits, space, dot, dash and underscore only":
    "lettres, chiffres, espace, point, tiret et tiret bas seulement",
  "PA": "PA",
  "The answer is larger than {1} bytes, and this process cannot write files: query another process":
    "La réponse dépasse {1} octets, et ce processus ne peut pas écrire de fichier : adressez-vous à un autre processus",
  "The migrations are applied in a folder of this process to compare, and it may write none; HTTP processes on machines of your own may":
    "Les migrations sont appliquées dans un dossier de ce processus pour comparer, et il ne peut en écrire aucun ; les processus HTTP sur vos propres machines le peuvent",
  "this process may start no others; workers may, and HTTP processes on machines of your own":
    "ce processus ne peut en lancer aucun autre ; les workers le peuvent, ainsi que les processus HTTP de vos propres machines",
  "FILES=folder needs a disk: database or s3://… is possible here":
    "FILES=folder demande un disque : ici, database ou s3://… est possible",
  "CONFIG_DIR needs a disk": "CONFIG_DIR demande un disque",
  "Redis": "Redis",
  "{1} is of another pool: a transaction is of one":
    "{1} est d'une autre base : une transaction est d'une seule",

  // A call
  "(nameless)": "(sans nom)",
  "A parameter": "Un paramètre",
  "Malformed JSON in request body": "Le corps de la requête n'est pas du JSON valable",
  "The body": "Le corps de la requête",
  "Tests of notification rules": "Les essais de règles de notification",
  "There is no {1} {2}": "Il n'y a rien à {1} {2}",
  "a country as two capital letters is expected": "un pays en deux majuscules est attendu",
  "a version such as 1.4.0.03 is expected": "une version telle que 1.4.0.03 est attendue",
  "a job number is expected": "un numéro de travail est attendu",
  "a report is expected": "un rapport est attendu",
  "a reason is required": "un motif est nécessaire",
  "the number of an entry is expected (LOG_ID)": "le numéro d'une entrée est attendu (LOG_ID)",
  "a year from 0001 to 9999 is expected": "une année de 0001 à 9999 est attendue",
  "decimal digits are expected": "des chiffres sont attendus",
  "did you mean {1}?": "vouliez-vous dire {1} ?",
  "exactly one of siren, siret and identifier is expected":
    "un seul de siren, siret et identifier est attendu",
  "expected <doc>-<dct>-<kco>, got {1}": "<doc>-<dct>-<kco> est attendu, et non {1}",
  "expected a decimal number": "un nombre décimal est attendu",
  "expected an ISO date": "une date ISO est attendue",
  "a VAT category and a rate are expected, as in S-20":
    "indiquez une catégorie et un taux de TVA, par exemple S-20",
  "the code of a status is expected, as /api/catalogues/statuses lists them":
    "le code d'un statut est attendu, comme les donne /api/catalogues/statuses",
  "expected the alias of a pool": "l'alias d'une base est attendu",
  "half a surrogate pair": "une moitié de paire d'unités UTF-16",
  "holds the character U+0000": "contient le caractère U+0000",
  "holds {1}": "contient {1}",
  "is no percent-encoded UTF-8": "n'est pas de l'UTF-8 encodé en pourcents",
  "known are {1}": "il y a {1}",
  "letters, digits, dot, dash and underscore only":
    "lettres, chiffres, point, tiret et souligné seulement",
  "text or a number is expected": "un texte ou un nombre est attendu",
  "the character U+0000": "le caractère U+0000",
  "the key {1}": "la clé {1}",
  "the query {1}": "la requête {1}",
  "there is no such parameter; {1}": "ce paramètre n'existe pas ; {1}",
  "this call takes none": "cet appel n'en prend aucun",
  "unknown": "inconnu",
  "{1} is no status code": "{1} n'est pas un code de statut",
  "{1} knows {2}, not {3}": "{1} connaît {2}, pas {3}",
  "{1}, a key": "{1}, une clé",
  '"{1}" is not a day of the calendar written as YYYY-MM-DD':
    "« {1} » n'est pas un jour du calendrier écrit AAAA-MM-JJ",
  '"{1}" is not a moment of ISO 8601 with its offset':
    "« {1} » n'est pas un instant ISO 8601 avec son décalage horaire",
  "adopt needs the flow to take over": "adopt demande le flux à reprendre",
  "{1} takes no flow": "{1} ne prend pas de flux",

  // Users, roles, permissions
  "* is reserved for the role admin": "* est réservé au rôle admin",
  "Changing {1}": "La modification de {1}",
  "Creating {1}": "La création de {1}",
  "Granting through the role {1}": "L'attribution par le rôle {1}",
  "Setting the password of {1}": "Le changement du mot de passe de {1}",
  "The password has {1} characters; at least {2} are needed":
    "Le mot de passe a {1} caractères ; il en faut au moins {2}",
  "The password is a sequence everybody tries":
    "Le mot de passe est une suite que tout le monde essaie",
  "The password is a word everybody tries": "Le mot de passe est un mot que tout le monde essaie",
  "The password is the username": "Le mot de passe est le nom d'utilisateur",
  "The password repeats too few different characters":
    "Le mot de passe répète trop peu de caractères différents",
  "The permission {1} is needed for {2}, and nobody owns this: it was saved while authentication was off and is to be saved again":
    "La permission {1} est nécessaire pour {2}, et ceci n'appartient à personne : il a été enregistré sans authentification et doit l'être à nouveau",
  "The role {1}": "Le rôle {1}",
  "The user {1}": "L'utilisateur {1}",
  "{1} does not hold the permission {2} for {3}": "{1} n'a pas la permission {2} pour {3}",
  "{1} has a wildcard where none is allowed": "{1} a un joker là où aucun n'est admis",
  "{1} is no permission code: two to four segments are expected":
    "{1} n'est pas un code de permission : deux à quatre segments sont attendus",
  "{1} is no permission code: {2} is no segment":
    "{1} n'est pas un code de permission : {2} n'est pas un segment",
  "reading the invoices a rule is about": "lire les factures dont parle une règle",
  "schedule.{1}": "schedule.{1}",
  "the call of {1}/{2}": "l'appel de {1}/{2}",
  "the e-mail channel": "le canal e-mail",
  "the queries of the connector {1}": "les requêtes du connecteur {1}",

  // Templates, rules of notification, connectors
  "The list of queries": "La liste des requêtes",
  "The file {1}": "Le fichier {1}",
  "The template {1}": "Le modèle {1}",
  "a read query begins with {1}": "une requête de lecture commence par {1}",
  "a string or comment is not closed": "un texte ou un commentaire n'est pas fermé",
  "the name of an XML element": "le nom d'un élément XML",
  "1 to 20 characters without spaces and hyphens": "1 à 20 caractères sans espace ni trait d'union",
  "at most {1} characters": "au plus {1} caractères",
  "a whole number from {1} to {2}": "un nombre entier de {1} à {2}",
  "a write query begins with {1}": "une requête d'écriture commence par {1}",
  "there is no connector {1} with {2} to call among the templates":
    "il n'existe pas de connecteur {1} avec {2} à appeler parmi les modèles",
  "call {1}: {2}": "appel {1} : {2}",
  "changes its type from {1} to {2}": "passe du type {1} au type {2}",
  "connector: expected the name of a connector": "connector : le nom d'un connecteur est attendu",
  "description: expected text": "description : un texte est attendu",
  "expected a JSON list of action calls": "une liste JSON d'appels est attendue",
  "expected a JSON object": "un objet JSON est attendu",
  "expected an address without credentials": "une adresse sans identifiants est attendue",
  "expected an object": "un objet est attendu",
  "expected an object of output name and path":
    "un objet de noms de sortie et de chemins est attendu",
  "expected http:// or https://, a host, and placeholders behind it only":
    "http:// ou https:// et un hôte sont attendus, les variables seulement derrière",
  "expected text": "un texte est attendu",
  "expected true or false": "true ou false est attendu",
  "there is no such key": "il n'y a pas de clé de ce nom",
  "there is no such key; did you mean {1}?":
    "il n'y a pas de clé de ce nom ; vouliez-vous dire {1} ?",
  "{1} is after {2}, {3}": "{1} vient après {2}, {3}",
  "holds a brace that is no placeholder, or #":
    "contient une accolade qui n'est pas une variable, ou #",
  "leads to other addresses than before": "mène à d'autres adresses qu'avant",
  "neither api nor sql": "ni api ni sql",
  "no property of a rule; there are {1}": "n'est pas une propriété d'une règle ; il y a {1}",
  "none of {1}": "n'est aucun de {1}",
  "one statement without a semicolon is expected":
    "une seule instruction sans point-virgule est attendue",
  "parameters are written :name, not $1": "les paramètres s'écrivent :nom, pas $1",
  "parameters: expected an object of name and value":
    "parameters : un objet de noms et de valeurs est attendu",
  "parameters: the value of {1} is no text": "parameters : la valeur de {1} n'est pas un texte",
  "parameters: {1}; {2} are allowed": "parameters : {1} ; {2} sont admis",
  "stopOnFailure: expected true or false": "stopOnFailure : true ou false est attendu",
  "there is no role {1}": "il n'existe pas de rôle {1}",
  "there is no user {1}": "il n'existe pas d'utilisateur {1}",
  "target: expected the name of an endpoint or a query":
    "target : le nom d'un point d'accès ou d'une requête est attendu",
  "the brackets do not pair": "les parenthèses ne vont pas par paires",
  "the name cannot stand in a permission code":
    "le nom ne peut pas figurer dans un code de permission",
  "the name of the role is missing": "le nom du rôle manque",
  "the rule has no channel and calls nothing": "la règle n'a pas de canal et n'appelle rien",
  "the rule sends e-mails and names no address":
    "la règle envoie des courriels et ne nomme aucune adresse",
  "the value of {1} holds a control character":
    "la valeur de {1} contient un caractère de contrôle",
  "values are bound: write :{1}, not {{2}}": "les valeurs sont liées : écrivez :{1}, pas {{2}}",
  "{1} addresses; {2} are allowed": "{1} adresses ; {2} sont admises",
  "{1} calls; {2} are allowed": "{1} appels ; {2} sont admis",
  "{1} cannot stand in a permission code": "{1} ne peut pas figurer dans un code de permission",
  "{1} is no field of a call": "{1} n'est pas un champ d'un appel",
  "{1} is no header name": "{1} n'est pas un nom d'en-tête",
  "{1} is no name": "{1} n'est pas un nom",
  "{1} is no name of a role": "{1} n'est pas un nom de rôle",
  "{1} is no username": "{1} n'est pas un nom d'utilisateur",
  "{1} is not one of {2}": "{1} ne fait pas partie de {2}",
  "{1} is not in the catalogue": "{1} n'est pas au catalogue",
  "{1} is set by the transport": "{1} est posé par le transport",
  "{1} is {2}: {3}": "{1} est {2} : {3}",
  "{1} is {2}; expected {3}": "{1} est {2} ; {3} est attendu",
  "{1} or {2}": "{1} ou {2}",
  "expected {1}": "{1} est attendu",
  "{1}; expected {2}": "{1} ; {2} est attendu",

  // Schedules
  "{1} is never due": "{1} n'est jamais dû",
  "{1} is no cron expression of five fields": "{1} n'est pas une expression cron de cinq champs",
};
