/** Findings and advice of `doctor`. */
export const DOCTOR: Readonly<Record<string, string>> = {
  "clock": "horloge",
  "the database's clock runs forward": "l'horloge de la base de données avance normalement",
  "the database's clock was put back by {1} s at {2}; {3} due times were moved with it":
    "l'horloge de la base de données a été reculée de {1} s le {2} ; {3} échéances ont été décalées d'autant",
  "Check the time service (NTP) of the machine of the database":
    "Vérifiez le service de temps (NTP) de la machine de la base de données",
  "examines each part of the installation and says what to do":
    "examine chaque partie de l'installation et dit quoi faire",
  "version": "version",
  "runtime": "exécution",
  "disk": "disque",
  "S3 bucket": "bucket S3",
  "database": "base de données",
  "product": "produit",
  "files": "fichiers",
  "sending is off: nothing leaves": "l'envoi est coupé : rien ne part",
  "Start without SENDING=off, and run deno task -q cli sending on: what waits is sent then":
    "Démarrez sans SENDING=off et lancez deno task -q cli sending on : ce qui attend part alors",
  "reading role": "rôle de lecture",
  "it signs in": "il se connecte",
  "The user of the database may not create the role that screens and queries of the product's own data read with; an administrator of the server runs":
    "L'utilisateur de la base n'a pas le droit de créer le rôle avec lequel les écrans et requêtes lisent les données du produit ; un administrateur du serveur doit exécuter",
  "secrets": "secrets",
  "queues": "files d'attente",
  "mail": "courriel",
  "Node 24 or newer is needed": "Node 24 ou plus récent est nécessaire",
  "{1} GB left for {2}": "{1} Go libres pour {2}",
  "Make room: a full disk stops uploads and the embedded database":
    "Faites de la place : un disque plein arrête les dépôts et la base embarquée",
  "It cannot be reached: {1}": "Injoignable : {1}",
  "Redis {1}, maxmemory-policy {2}": "Redis {1}, maxmemory-policy {2}",
  "Set maxmemory-policy noeviction: any other throws waiting work away":
    "Réglez maxmemory-policy noeviction : toute autre jette du travail en attente",
  "Redis 7 or newer is supported": "Redis 7 ou plus récent est pris en charge",
  "{1} stores, returns and deletes files": "{1} enregistre, restitue et supprime les fichiers",
  "{1} returned other bytes than were stored":
    "{1} a restitué d'autres octets que ceux enregistrés",
  "PostgreSQL {1}, this machine's clock {2} s behind it":
    "PostgreSQL {1}, l'horloge de cette machine {2} s en retard sur lui",
  "The database has an older schema ({1} missing); bring it up to date (POST /api/setup/upgrade, deno task migrate) or start the version of the product it belongs to":
    "La base de données a un schéma plus ancien (il manque {1}) ; mettez-la à jour (POST /api/setup/upgrade, deno task migrate) ou démarrez la version du produit à laquelle elle appartient",
  "Apply the migrations that are missing ({1}): deno task migrate":
    "Appliquez les migrations qui manquent ({1}) : deno task migrate",
  "Set this machine's clock: the product corrects it, its logs and certificates do not":
    "Réglez l'horloge de cette machine : le produit la corrige, ses journaux et certificats non",
  "{1} entries in {2}, {3} GB left": "{1} entrées dans {2}, {3} Go libres",
  "Make room, or raise FILES_MAX_GB": "Faites de la place, ou augmentez FILES_MAX_GB",
  "Check REDIS_URL, and that its server takes calls from this machine":
    "Vérifiez REDIS_URL, et que son serveur accepte les appels de cette machine",
  "Check DATABASE_URL, and that its server takes calls from this machine":
    "Vérifiez DATABASE_URL, et que son serveur accepte les appels de cette machine",
  "Check FILES, AWS_ENDPOINT_URL_S3, AWS_REGION and the keys, and that the bucket is there":
    "Vérifiez FILES, AWS_ENDPOINT_URL_S3, AWS_REGION et les clés, et que le compartiment existe",
  "Start with the SECRET_KEY it was sealed by, or name that in SECRET_KEY_OLD; where it is lost, enter the secret again":
    "Démarrez avec la SECRET_KEY qui l'a scellé, ou indiquez-la dans SECRET_KEY_OLD ; si elle est perdue, saisissez le secret à nouveau",
  "Check URL and proof of identity in the template e-invoicing, and the way there":
    "Vérifiez l'URL et l'authentification dans le modèle e-invoicing, et l'accès réseau",
  "Check the properties smtp… of the template global, and the way to the server":
    "Vérifiez les propriétés smtp… du modèle global, et l'accès au serveur",
  "all that are stored open with SECRET_KEY":
    "tous ceux qui sont conservés s'ouvrent avec SECRET_KEY",
  "{1} places and {2} are sealed by SECRET_KEY_OLD still":
    "{1} endroits et {2} sont encore scellés par SECRET_KEY_OLD",
  "deno task -q cli secrets rotate, and encrypt the variables' values again (POST /api/fmw/encrypt); then SECRET_KEY_OLD can go":
    "deno task -q cli secrets rotate, et chiffrez à nouveau les valeurs des variables (POST /api/fmw/encrypt) ; SECRET_KEY_OLD peut alors disparaître",
  "{1} places are sealed by SECRET_KEY_OLD still":
    "{1} emplacements sont encore scellés par SECRET_KEY_OLD",
  "deno task -q cli secrets rotate, then SECRET_KEY_OLD can go":
    "deno task -q cli secrets rotate, puis SECRET_KEY_OLD peut partir",
  "{1} tasks are due, the oldest for {2} s; {3} were given up":
    "{1} tâches à faire, la plus ancienne depuis {2} s ; {3} abandonnées",
  "No worker takes them: start one (deno task worker)":
    "Aucun worker ne les prend : démarrez-en un (deno task worker)",
  "Look at them: GET /api/tasks": "Regardez-les : GET /api/tasks",
  "nothing was started on {1} yet": "rien n'a encore été démarré sur {1}",
  "Start it: deno task start": "Démarrez-le : deno task start",
  "the sandbox PA, which starts with the product": "la PA bac à sable, qui démarre avec le produit",
  "none is configured: nothing can be sent": "aucune n'est configurée : rien ne peut être envoyé",
  "Name it in the template e-invoicing": "Nommez-la dans le modèle e-invoicing",
  "it does not answer": "elle ne répond pas",
  "{1} answered in {2} ms, breaker {3}": "{1} a répondu en {2} ms, disjoncteur {3}",
  "no mail server: messages are written into a folder":
    "pas de serveur de courriel : les messages sont écrits dans un dossier",
  "Set smtpHost and smtpFrom in the template global":
    "Définissez smtpHost et smtpFrom dans le modèle global",
  "{1}:{2} takes mail from {3}": "{1}:{2} accepte le courriel de {3}",
  "it runs at {1}: database {2}, queue {3}":
    "il tourne sur {1} : base de données {2}, file d'attente {3}",
};
